"""What MLIR's verifier rejects (TD216 to TD219)."""
