"""Measures runs of scripts; see `__main__`."""
