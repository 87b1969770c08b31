"""What bodies of code do to an operation, whichever language they are written in."""
