"""The grammars, alone and next to MLIR's own parser."""
