"""What both commands that test everything set up for themselves, with nothing but Python's standard library."""
