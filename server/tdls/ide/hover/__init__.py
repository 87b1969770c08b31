"""Hover texts, as Markdown: one module for each kind of entity."""
