"""Meanings of transform operations: a row for each (`Meaning`), in a file for each kind of operation."""
