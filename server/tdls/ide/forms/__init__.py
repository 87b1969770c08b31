"""How an operation is written: its signature, snippets, examples and page."""
