"""Observes runs: instruments their scripts, and reads what the instrumentation reports."""
