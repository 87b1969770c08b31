"""Drives the debug adapter as editors do."""
