"""Messages as they come and go: streams, framing, and when requests are answered."""
