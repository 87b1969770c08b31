"""Resolves scopes, SSA values, symbols and types from tree and catalogue, for checks of MLIR's verifier."""
