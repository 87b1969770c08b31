"""The tolerant parser: builds a tree and its syntax errors from tokens and a catalogue."""
