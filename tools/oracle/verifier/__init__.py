"""Makes structured mistakes in valid modules, and compares errors of MLIR's verifier with findings of tdls."""
