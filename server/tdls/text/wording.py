"""Numbers and lists in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """Return ``1 result``, ``2 results``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def enumerated(words: Sequence[str], conjunction: str = "and") -> str:
    """Return ``a, b and c``."""
    *others, last = words
    return f"{', '.join(others)} {conjunction} {last}" if others else last
