"""The command line: one module per command. The only floor that prints."""
