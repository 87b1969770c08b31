"""Finding and reading the files of a project that define operations."""
