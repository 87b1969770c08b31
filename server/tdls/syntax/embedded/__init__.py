"""Finds scripts in the strings of Python programs and maps them to MLIR text at the same offsets."""
