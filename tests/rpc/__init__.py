"""Talks to language servers over their standard streams, at next to no cost for measurements."""
