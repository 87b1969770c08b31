"""Computes the tokens and entities that the parser accepts at a cursor, for completion."""
