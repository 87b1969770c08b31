"""Converts TableGen records, evaluated by tdls or by llvm-tblgen, to definitions, as mlir-tblgen interprets ODS."""
