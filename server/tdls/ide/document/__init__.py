"""Answers about a whole document: its symbols, folds, tokens, hints and lenses."""
