"""The set-up of both commands that test everything, with nothing but Python's standard library."""
