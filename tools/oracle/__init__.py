"""Real MLIR as the judge: generated corpora, extraction of the modules that MLIR parsed, comparison with tdls."""
