"""What can run scripts, which of it is used, and how a request reaches it."""
