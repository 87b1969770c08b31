"""Text as text: spans, edits, line indices, position encodings and findings. Knows no MLIR."""
