"""Checks of MLIR's verifiers for operations of scripts, beyond the constraints in their definitions."""
