"""Definitions of operations: one model, filled from several sources. The catalogue is data; it parses no MLIR."""
