"""Splits a file into sections that are parsed separately, so that an edit costs in proportion to its change."""
