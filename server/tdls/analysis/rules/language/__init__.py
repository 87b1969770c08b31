"""Rules of MLIR's language: what holds for every operation (TD0xx, TD1xx)."""
