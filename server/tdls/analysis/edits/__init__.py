"""What to write in place of what stands in a script, for rules and editors to offer."""
