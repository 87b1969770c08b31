"""Records runs, to return the payload and all handles before and after any step."""
