"""Parses text into a tolerant, lossless tree and a list of errors. Dialects come from a catalogue."""
