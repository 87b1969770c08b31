"""Calls, lambdas and lists of names in the words of one C++ statement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.catalogue.sources.cpp.effects.statements import CompoundStatement, read_statements
from tdls.catalogue.sources.cpp.tokens import OPENING, arguments, closing, top_level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.model import SourcePlace
    from tdls.catalogue.sources.cpp.effects.statements import Words


_CHANGE_NOTHING = frozenset(
    (
        *("consumesHandle", "onlyReadsHandle", "producesHandle", "modifiesPayload", "onlyReadsPayload"),
        *("emplace_back", "push_back", "cast", "dyn_cast", "isa", "static_cast", "zip", "zip_equal", "enumerate"),
        *("ValueRange", "OperandRange", "ResultRange", "ArrayRef", "MutableArrayRef", "assert"),
    )
)
"""Functions that take no references to variables in order to change them."""
_NO_TYPES = frozenset(("return", "new", "delete", "throw", "co_return", "not"))


@dataclass(frozen=True, slots=True)
class Procedure:
    """A function that adds effects to the list it is given. `effects` is the list's index among `parameters`."""

    parameters: tuple[str, ...]
    effects: int
    body: CompoundStatement


@dataclass(frozen=True, slots=True)
class Call:
    """``object.path(arguments)``; `receiver` are the words before the last dot or arrow, `path` ends with the name."""

    receiver: Words
    path: tuple[str, ...]
    arguments: tuple[Words, ...]

    @property
    def name(self) -> str:
        """The function's own name."""
        return self.path[-1]


def call_of(words: Words) -> Call | None:
    """The call that an expression is, as a whole; None where it is none."""
    opening = _last_opening(words)
    if not opening or words[opening] != "(":
        return None
    index = opening - 1
    if words[index] == ">":
        index = _before_template(words, index)
    path: list[str] = []
    while index >= 0 and words[index].isidentifier():
        path.insert(0, words[index])
        index -= 1
        if index < 0 or words[index] != "::":
            break
        index -= 1
    if not path or (index >= 0 and words[index] not in (".", "->")):
        return None
    return Call(words[: max(index, 0)], tuple(path), tuple(arguments(words[opening + 1 : -1])))


def lambda_of(words: Words, place: SourcePlace) -> Procedure | None:
    """``[&](Type name, ...) { body }``; `effects` is -1, since the list is that of the function around it."""
    behind = closing(words, 0) + 1
    names: tuple[str, ...] = ()
    if words[behind : behind + 1] == ("(",):
        close = closing(words, behind)
        names = tuple(parameter[-1] for parameter in arguments(words[behind + 1 : close]) if parameter)
        behind = close + 1
    if words[:1] != ("[",) or words[behind : behind + 1] != ("{",) or closing(words, behind) != len(words) - 1:
        return None
    body = words[behind + 1 : -1]
    return Procedure(names, -1, read_statements(body, [place] * len(body)))


def declared_names(left: Words) -> Words:
    """Names on the left of ``=``: of a declaration, a structured binding, an assignment."""
    if left[-1:] == ("]",) and "[" in left:
        return tuple(word for word in left[left.index("[") :] if word.isidentifier())
    return tuple([word for word in left if word.isidentifier()][-1:])


def initialised(words: Words) -> tuple[str, Words] | None:
    """Name and initial value of ``Type name(value)`` and ``Type name{value}``."""
    opening = _last_opening(words)
    if opening is None or opening < 2 or not words[opening - 1].isidentifier():
        return None
    if not _ends_type(words[: opening - 1]):
        return None
    inside = words[opening + 1 : -1]
    return words[opening - 1], ("{", *inside, "}") if words[opening] == "{" else inside


def declared(words: Words) -> str | None:
    """The name that ``Type name`` declares."""
    return words[-1] if words and words[-1].isidentifier() and _ends_type(words[:-1]) else None


def changed_inside(words: Words) -> Iterator[str]:
    """Names that a statement may change without being an assignment to them: arguments of functions that may take
    references, and what is assigned to in brackets, where lambdas are."""
    callees: list[str] = []
    for index, word in enumerate(words):
        before, behind = words[index - 1] if index else "", words[index + 1] if index + 1 < len(words) else ""
        if word in OPENING:
            callees.append(before if word == "(" else "")
        elif word in OPENING.values():
            callees = callees[:-1]
        elif callees and word.isidentifier():
            is_argument = before in ("(", ",", "&") and behind in (")", ",") and callees[-1].isidentifier()
            if (is_argument and callees[-1] not in _CHANGE_NOTHING) or behind in ("=", "++", "--"):
                yield word


def _ends_type(words: Words) -> bool:
    """May these words before a name be its type?"""
    if not words or not (words[0].isidentifier() or words[0] == "::"):
        return False
    return words[-1] in (">", "&", "*") or (words[-1].isidentifier() and words[-1] not in _NO_TYPES)


def _last_opening(words: Words) -> int | None:
    """The index of the bracket that the last token closes."""
    for index, word in top_level(words):
        if word in ("(", "{") and closing(words, index) == len(words) - 1:
            return index
    return None


def _before_template(words: Words, end: int) -> int:
    """The index before the ``<`` that belongs to the ``>`` at `end`."""
    depth = 0
    for index in range(end, -1, -1):
        depth += {">": 1, "<": -1}.get(words[index], 0)
        if depth == 0:
            return index - 1
    return -1
