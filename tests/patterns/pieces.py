"""Texts that make a pattern work: the part that it repeats, many times, behind its beginning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from patterns.claims import made_at
from patterns.sites import sites
from patterns.translation import parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from patterns.claims import Recorded

_SAMPLES: Final = {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "w"}
_TESTS: Final[dict[str, Callable[[str], bool]]] = {
    "DIGIT": str.isdecimal,
    "SPACE": str.isspace,
    "WORD": str.isidentifier,
}
_PREFERRED: Final = "a1 .-/\t\n;\\\"'"
_LONGEST: Final = 60
_MOST: Final = 12
"""Pieces of one pattern."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A text that makes a pattern slow: a beginning, and a part that is repeated."""

    head: str
    pump: str

    def text(self, count: int) -> str:
        """Return the piece with its pump `count` times."""
        return self.head + self.pump * count


def pieces(records: list[Recorded], places: tuple[str, ...]) -> list[Piece]:
    """Return the pieces of the patterns in `places`, each one once, in the order of the source."""
    found: dict[Piece, None] = {}
    for site in (site for site in sites() if site.place.startswith(places)):
        for record in made_at(site, records):
            tree = parsed(record.pattern, record.flags)
            some = dict.fromkeys(piece for piece in _pieces(tree, "") if 0 < len(piece.pump) <= _LONGEST)
            found.update(dict.fromkeys(list(some)[:_MOST]))
    return list(found)


def _pieces(nodes: Any, head: str) -> Iterator[Piece]:
    """Yield the repeated parts of a sequence, and the sequence itself, which a search may begin again and again."""
    whole = ""
    for kind, value in nodes:
        yield from _inside(str(kind), value, head + whole)
        whole += _sample([(kind, value)])
    yield Piece(head, whole)
    yield Piece(head, whole[:-1])


def _inside(kind: str, value: Any, head: str) -> Iterator[Piece]:
    if kind in ("MAX_REPEAT", "MIN_REPEAT"):
        body = _sample(value[2])
        if str(value[1]) == "MAXREPEAT":
            yield Piece(head, body)
            yield Piece("", head + body)
        yield from _pieces(value[2], head)
    elif kind == "SUBPATTERN":
        yield from _pieces(value[3], head)
    elif kind == "BRANCH":
        for branch in value[1]:
            yield from _pieces(branch, head)
            yield Piece(head, _sample(branch))


def _sample(nodes: Any) -> str:
    """Return a text that a sequence matches, as far as it is simple."""
    return "".join(_sample_of(str(kind), value) for kind, value in nodes)


def _sample_of(kind: str, value: Any) -> str:
    match kind:
        case "LITERAL":
            return chr(int(value))
        case "NOT_LITERAL" | "IN":
            return next((candidate for candidate in _candidates(value) if _fits(kind, value, candidate)), "")
        case "ANY":
            return "a"
        case "MAX_REPEAT" | "MIN_REPEAT":
            return _sample(value[2]) * max(int(value[0]), 1)
        case "SUBPATTERN":
            return _sample(value[3])
        case "BRANCH":
            return _sample(value[1][0])
    return ""


def _candidates(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for kind, item in value:
            if str(kind) == "LITERAL":
                yield chr(item)
            elif str(kind) == "RANGE":
                yield chr(item[0])
            elif str(kind) == "CATEGORY":
                yield _SAMPLES.get(str(item), "")
    yield from _PREFERRED


def _fits(kind: str, value: Any, character: str) -> bool:
    if kind == "NOT_LITERAL":
        return ord(character) != int(value)
    negated = str(value[0][0]) == "NEGATE"
    return bool(character) and any(_is_in(item, character) for item in value) != negated


def _is_in(item: Any, character: str) -> bool:
    kind, value = str(item[0]), item[1]
    if kind == "LITERAL":
        return ord(character) == int(value)
    if kind == "RANGE":
        return int(value[0]) <= ord(character) <= int(value[1])
    if kind != "CATEGORY":
        return False
    name = str(value).removeprefix("CATEGORY_")
    return _TESTS[name.removeprefix("NOT_")](character) != name.startswith("NOT_")
