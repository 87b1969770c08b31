"""Real MLIR as the judge: generated corpora, extraction of what MLIR parsed, comparison with tdls."""
