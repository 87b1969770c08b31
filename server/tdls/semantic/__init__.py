"""Tree and catalogue to scopes, SSA values, symbols and types, and what MLIR's verifier would say of them."""
