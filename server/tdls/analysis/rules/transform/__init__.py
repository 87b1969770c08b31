"""Rules of the Transform dialect (TD2xx)."""
