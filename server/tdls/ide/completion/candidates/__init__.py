"""What fits at a cursor, one kind of thing a file."""
