"""White space of MLIR text: what it should be, without any change to tokens or comments."""
