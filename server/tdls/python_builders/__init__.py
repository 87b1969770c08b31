"""Runs Python programs that build scripts with MLIR's bindings, and finds the call that made each operation."""
