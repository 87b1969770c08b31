"""What MLIR's verifier rejects in scripts, and what of it tdls reports: structured mistakes in valid modules."""
