"""Reading, writing and selecting files; the boundary of a repository."""
