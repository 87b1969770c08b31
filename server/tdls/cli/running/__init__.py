"""What commands that run scripts have in common."""
