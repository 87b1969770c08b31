"""What `tdls check` does to files."""
