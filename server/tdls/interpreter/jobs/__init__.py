"""What all backends use: the texts and passes that MLIR gets, and the way back from the places that it names."""
