"""Random scripts about handles: what the interpreter says of each use, and what tdls says without running them."""
