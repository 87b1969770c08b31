"""The process that MLIR runs in, and tdls's side of it."""
