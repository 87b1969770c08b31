"""One file per code action."""
