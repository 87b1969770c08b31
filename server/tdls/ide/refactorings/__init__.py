"""Changes of a script that keep what it does, one a file: from a place to edits, or a reason against them."""
