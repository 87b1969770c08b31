"""What runs in the user's own Python: the program, and what watches what it builds. Imports no MLIR by itself."""
