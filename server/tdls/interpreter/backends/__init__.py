"""The available backends, the choice among them, and the translation of requests for each."""
