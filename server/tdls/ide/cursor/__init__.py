"""Resolution of a cursor position: the entity there, its definition, and its occurrences."""
