"""List, read and merge the files of a project that define operations."""
