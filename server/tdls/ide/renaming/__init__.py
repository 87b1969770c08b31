"""Other names for values, blocks, symbols and aliases."""
