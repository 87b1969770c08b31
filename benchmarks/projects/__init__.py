"""Measures how long it takes to read a project's own definitions; see `__main__`."""
