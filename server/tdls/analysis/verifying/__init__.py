"""What MLIR's verifier rejects in operations of scripts, beyond what their definitions say."""
