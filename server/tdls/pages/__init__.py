"""Recorded runs as documents and as pages, and the server of pages that browsers of this machine show."""
