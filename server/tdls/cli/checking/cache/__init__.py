"""What checks found, kept for the next time: by content, so that it holds in every clone and never after a change."""
