"""Texts, files and folders that grow without bound, and what tdls takes for them: ``python -m soak.attack``."""
