"""TableGen text to nodes."""
