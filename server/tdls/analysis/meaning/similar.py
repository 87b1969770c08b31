"""The name that somebody meant who wrote one that does not exist."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import chain
from typing import TYPE_CHECKING

from tdls.limits import NAME_SEARCHES, SIMILAR_NAMES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class SimilarNames:
    """Names of one section, for some that are misspelled in it; where there are too many of either, none is similar."""

    def __init__(self, least: float) -> None:
        """`least` is how similar names have to be, between 0 and 1 for the same, as difflib counts."""
        self._least = least
        self._searches = 0

    def to(self, name: str, names: Sequence[Collection[str]]) -> str | None:
        """Return which of `names`, in several collections, is most similar to `name`, which is none of them."""
        self._searches += 1
        if self._searches > NAME_SEARCHES.most or sum(map(len, names)) > SIMILAR_NAMES.most:
            return None
        return next(iter(get_close_matches(name, chain(*names), n=1, cutoff=self._least)), None)
