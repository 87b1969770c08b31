"""Measures the analysis of handles; see `__main__`."""
