"""Finds the likely intended name for a misspelled one, by difflib similarity within limits."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import chain
from typing import TYPE_CHECKING

from tdls.limits import NAME_SEARCHES, SIMILAR_NAMES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class SimilarNames:
    """Searches for names similar to misspelled ones in one section.

    Finds nothing after `NAME_SEARCHES` searches, or among more than `SIMILAR_NAMES` names.
    """

    def __init__(self, least: float) -> None:
        """`least` is the minimum difflib similarity, from 0 to 1 (equal)."""
        self._least = least
        self._searches = 0

    def to(self, name: str, names: Sequence[Collection[str]]) -> str | None:
        """Return the most similar of `names`, given in several collections; `name` is in none of them."""
        self._searches += 1
        if self._searches > NAME_SEARCHES.most or sum(map(len, names)) > SIMILAR_NAMES.most:
            return None
        return next(iter(get_close_matches(name, chain(*names), n=1, cutoff=self._least)), None)
