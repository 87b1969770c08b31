"""Scripts that MLIR does not survive, in files by how they end; see `interpreter.faults.faults`."""
