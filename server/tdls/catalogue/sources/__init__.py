"""A project's sources, read for the operations that they define."""
