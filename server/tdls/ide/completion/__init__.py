"""Completion at a cursor, driven by what the parser expects there."""
