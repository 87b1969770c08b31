"""Messages as they come and go: streams, sockets, framing."""
