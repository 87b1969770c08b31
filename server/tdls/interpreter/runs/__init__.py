"""Requests for runs: the texts, their plan, and the ways back from what MLIR reads to what users wrote."""
