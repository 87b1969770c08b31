"""Comments that silence rules: in a line, a region or a file; what is wrong with them; writing and removing them."""
