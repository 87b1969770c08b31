"""Texts of any size that ask the analysis for more than they look like."""
