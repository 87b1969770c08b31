"""What MLIR prints and reports, read."""
