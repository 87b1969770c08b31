"""Operations whose format is not known, read by how MLIR is written."""
