"""Measures language servers from outside; see `__main__`."""
