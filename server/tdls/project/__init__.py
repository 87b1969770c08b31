"""Files of a project on disk: libraries, payloads, named sequences, and definitions of operations."""
