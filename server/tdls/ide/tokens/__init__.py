"""What colours tokens, by what they are and by what they mean."""
