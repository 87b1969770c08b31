"""Rules for errors that MLIR's verifiers report (TD216 to TD222)."""
