"""Numbers with what is counted."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """Return a number with what is counted."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
