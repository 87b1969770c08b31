"""One version of a file: its sections, and the questions that they ask of each other."""
