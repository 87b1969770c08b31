"""The command line: one file per command. The only floor that prints."""
