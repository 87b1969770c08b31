"""Formatting of MLIR text: changes white space only, never tokens or comments."""
