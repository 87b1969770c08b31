"""One version of a file: its sections, and what they may ask of each other."""
