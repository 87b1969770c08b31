"""Text to tokens, and what lines and brackets say without any."""
