"""Recorded runs, as text, JSON and a page of HTML."""
