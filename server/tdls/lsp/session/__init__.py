"""State of the running server: open documents and their queues, files on disk, and marks of runs."""
