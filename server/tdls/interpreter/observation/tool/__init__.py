"""Observing a run of a tool that knows no operations but MLIR's own."""
