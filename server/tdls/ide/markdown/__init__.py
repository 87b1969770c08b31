"""Pieces of Markdown, and Markdown that somebody else wrote."""
