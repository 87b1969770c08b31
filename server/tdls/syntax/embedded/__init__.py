"""Scripts in the strings of Python programs: where they are, and how they read as MLIR at the same places."""
