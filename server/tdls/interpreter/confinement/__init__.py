"""Restricts the processes that run scripts: where they may write, their network access, memory and files."""
