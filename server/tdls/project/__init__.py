"""What a project on disk adds to a file: its libraries and settings."""
