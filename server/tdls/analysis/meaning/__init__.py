"""Analyses of script operations by their definitions and text: matchers, names, numbers, scripts, use after free."""
