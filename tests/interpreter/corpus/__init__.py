"""Scripts with payloads, every upstream transform operation among them; see `interpreter.corpus.scripts`."""
