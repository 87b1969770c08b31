"""Measures how many findings of `tdls check` in public repositories are true."""
