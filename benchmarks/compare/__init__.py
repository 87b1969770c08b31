"""Measures a revision and the working tree in turn; see `__main__`."""
