"""Messages as they come and go: streams, sockets, framing, and when requests are answered."""
