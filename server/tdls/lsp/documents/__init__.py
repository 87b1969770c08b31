"""Synchronize open documents and workspace files, and schedule their checks."""
