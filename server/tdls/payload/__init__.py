"""What every MLIR rejects in the text of payload: names, types, counts and structure of upstream operations."""
