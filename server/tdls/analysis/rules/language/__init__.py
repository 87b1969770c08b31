"""Rules of MLIR's language, which hold for operations of every dialect (TD0xx, TD1xx)."""
