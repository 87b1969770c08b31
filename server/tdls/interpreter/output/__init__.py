"""Readers for the output and diagnostics of MLIR."""
