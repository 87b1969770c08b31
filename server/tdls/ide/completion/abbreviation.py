"""Whether a name is what the beginning of a word stands for."""

from __future__ import annotations


def abbreviates(typed: str, name: str) -> bool:
    """Tell whether the letters of `typed` stand in `name` in this order, whatever is between them."""
    letters = iter(name)
    return all(letter in letters for letter in typed)
