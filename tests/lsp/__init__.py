"""Drives the server process as editors do."""
