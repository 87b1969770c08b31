"""Scripts with payloads, every upstream transform operation among them; see `oracle.run_corpus.scripts`."""
