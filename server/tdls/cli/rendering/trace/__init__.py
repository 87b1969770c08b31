"""Recorded runs, as text, JSON, a page of HTML, and events for Perfetto."""
