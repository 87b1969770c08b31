"""What stands at a place, what it refers to, and where else that is named."""
