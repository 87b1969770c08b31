"""Runs Python programs that build scripts with MLIR's bindings, and says where in them each operation was made."""
