"""What attributes of operations have to be, each by itself and together."""
