"""What is slow to make and the same each time, kept in the user's own folder."""
