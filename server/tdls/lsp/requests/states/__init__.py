"""Requests about recorded runs: their steps, and what became of lines of the payload and of handles."""
