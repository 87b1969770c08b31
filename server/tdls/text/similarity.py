"""Names similar to an unknown one, for help such as `did you mean ...?`."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from tdls.limits import NAME_SEARCHES, SIMILAR_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

_LIMIT = 3
_NAME_CUTOFF = 0.8
_DIALECT_CUTOFF = 0.75
_SIMILAR_LAST_PART = 0.8
_SAME_NAMESPACE = 0.9


def most_similar(name: str, names: Iterable[str], least: float = 0.6) -> str | None:
    """Return the most similar of `names`; `least` is the minimum similarity by difflib, from 0 to 1 (equal)."""
    return next(iter(_close(name, names, least, 1)), None)


def similar_names(name: str, dialects: Iterable[str], operation_names: Callable[[str], Iterable[str]]) -> list[str]:
    """Return at most three names, the best first.

    A misspelled dialect is corrected first; within the dialect, names with the same last part come before names of
    similar spelling: ``transform.tile_using_for`` suggests ``transform.structured.tile_using_for``.
    """
    dialect, dot, rest = name.partition(".")
    if not dot:
        return []
    known = set(dialects)
    candidates = [dialect] if dialect in known else _close(dialect, known, _DIALECT_CUTOFF)
    found: list[str] = []
    for candidate in candidates:
        meant = f"{candidate}.{rest}"
        names = list(operation_names(candidate))
        found += [meant] if meant in names else [*_same_last_part(meant, names), *_close(meant, names, _NAME_CUTOFF)]
    return list(dict.fromkeys(found))[:_LIMIT]


def is_slip(written: str, meant: str) -> bool:
    """Whether `written` is a misspelling of `meant`, either in its last part or in its namespace.

    Projects name operations like upstream's in namespaces of their own, which count as no misspelling.
    """
    namespace, _, last = written.rpartition(".")
    meant_namespace, _, meant_last = meant.rpartition(".")
    if namespace == meant_namespace:
        return likeness(last, meant_last) >= _SIMILAR_LAST_PART
    return last == meant_last and likeness(namespace, meant_namespace) >= _SAME_NAMESPACE


def is_typing_error(written: str, meant: str) -> bool:
    """Whether `written` differs from `meant` by one letter: missing, extra, wrong, or swapped with the next."""
    shorter, longer = sorted((written, meant), key=len)
    begin = next((at for at, letter in enumerate(shorter) if letter != longer[at]), len(shorter))
    rest, other = shorter[begin:], longer[begin:]
    if len(rest) < len(other):
        return rest == other[1:]
    return rest[1:] == other[1:] or (rest[:2] == other[1::-1] and rest[2:] == other[2:])


def likeness(first: str, second: str) -> float:
    """Return the similarity of two names, from 0 to 1."""
    from difflib import SequenceMatcher

    return SequenceMatcher(None, first, second).ratio()


def _same_last_part(name: str, names: Iterable[str]) -> list[str]:
    last = name.rpartition(".")[2]
    return [candidate for candidate in names if candidate.rpartition(".")[2] == last]


def _close(name: str, names: Iterable[str], cutoff: float, most: int = _LIMIT) -> list[str]:
    from difflib import get_close_matches

    return get_close_matches(name, list(names), most, cutoff)


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
        return most_similar(name, chain(*names), self._least)
