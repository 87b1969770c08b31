"""Applying the fixes of findings to a whole file."""
