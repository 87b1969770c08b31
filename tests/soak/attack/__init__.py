"""Texts, files and folders that grow without bound, and the time and memory of tdls: ``python -m soak.attack``."""
