"""Comments that silence rules in a line, a region or a file: parsing, checks, and edits that add or remove them."""
