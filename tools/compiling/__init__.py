"""Compiles parts of tdls for a wheel; see `build_hook`."""
