"""Reads custom forms of known operations by the assembly formats in the catalogue."""
