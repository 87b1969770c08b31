"""From TableGen records to definitions, as mlir-tblgen understands ODS. Records come from tdls or from llvm-tblgen."""
