"""Analyses of script operations by their definitions and text: matchers, payload names, scripts, use after free."""
