"""The worker process in which MLIR runs, and its client in tdls."""
