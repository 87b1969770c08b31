"""Language server, checker and interactive runner for MLIR's Transform dialect."""

__version__ = "0.1.0"
