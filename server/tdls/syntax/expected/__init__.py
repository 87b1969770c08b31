"""What may stand at a place in a text, as the parser sees it."""
