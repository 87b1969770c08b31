"""Text without knowledge of MLIR: spans, edits, line indices, position encodings and diagnostics."""
