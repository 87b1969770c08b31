"""MLIR itself: calls of a tool like ``mlir-opt``, or of the bindings in a worker process."""
