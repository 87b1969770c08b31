"""Runs of scripts for the editor: plan, execute, repeat and record them, and show their results."""
