"""Nodes to records: classes, values, operators and files."""
