"""Text to a tolerant, lossless tree and a list of errors. Knows no dialect: it is handed a catalogue."""
