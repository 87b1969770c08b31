"""Reads the statements of a C++ function's body that determine the order of effects, and their parts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from tdls.catalogue.sources.cpp.tokens import OPENING, arguments, closing, top_level
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.model import SourcePlace

Words = tuple[str, ...]

_NO_TYPES = frozenset(("return", "new", "delete", "throw", "co_return", "not"))
_LEAVING = frozenset(("return", "break", "continue", "goto", "throw", "co_return"))
_OTHERS = _LEAVING - {"return"} | {"while", "do", "switch", "case", "default", "try", "catch", "else"}
"""Words that begin a statement that is not read."""
_CHANGE_NOTHING = frozenset(
    (
        *("consumesHandle", "onlyReadsHandle", "producesHandle", "modifiesPayload", "onlyReadsPayload"),
        *("emplace_back", "push_back", "cast", "dyn_cast", "isa", "static_cast", "assert", "if"),
        *("ValueRange", "OperandRange", "ResultRange", "ArrayRef", "MutableArrayRef"),
    )
)
"""Functions that do not change variables passed by reference."""
_ONLY_READ = frozenset(("begin", "cast", "dyn_cast", "empty", "front", "get", "getType", "size", "value"))
"""Member functions that do not change their object."""
_ASSIGNING = frozenset("+-*/%&|^")
_COUNTING = frozenset(("++", "--"))
_MOST_NESTED = 50


class Call(Struct, frozen=True):
    """``object.path(arguments)``; `receiver` is the words before the last dot or arrow, `name` the function's own."""

    receiver: Words
    name: str
    arguments: tuple[Words, ...]


def call_of(words: Words) -> Call | None:
    """Return the call if the whole expression is one, else None."""
    opening = _last_opening(words)
    if not opening or words[opening] != "(":
        return None
    index = opening - 1
    if words[index] == ">":
        index = _before_template(words, index)
    if index < 0 or not words[index].isidentifier():
        return None
    name = words[index]
    while index > 1 and words[index - 1] == "::" and words[index - 2].isidentifier():
        index -= 2
    if words[index - 1 : index] == ("::",):
        index -= 1
    if index > 0 and words[index - 1] not in (".", "->"):
        return None
    return Call(words[: max(index - 1, 0)], name, tuple(arguments(words[opening + 1 : -1])))


def declaration(words: Words) -> tuple[str, Words] | None:
    """Return name and value of ``Type name = value``, ``Type name(value)`` and ``Type name{value}``, or None."""
    equals = next((index for index, word in top_level(words) if word == "="), None)
    if equals is not None:
        return (words[equals - 1], words[equals + 1 :]) if _declares(words[:equals]) else None
    opening = _last_opening(words)
    if opening is None or not _declares(words[:opening]):
        return None
    inside = words[opening + 1 : -1]
    return words[opening - 1], ("{", *inside, "}") if words[opening] == "{" else inside


def _declares(words: Words) -> bool:
    """Whether these words may be a type and a name."""
    if len(words) < 2 or not words[-1].isidentifier() or not (words[0].isidentifier() or words[0] == "::"):
        return False
    before = words[-2]
    return before in (">", "&", "&&", "*") or (before.isidentifier() and before not in _NO_TYPES)


def changed_names(words: Words) -> frozenset[str]:
    """Return the names in a body that may have another value than that of one declaration or range.

    They are declared again, assigned to, or passed to functions that may change them.
    """
    declared = Counter(word for index, word in enumerate(words) if _is_declared(words, index))
    ranges = {word for word, behind in pairwise(words) if behind == ":"}
    again = {name for name, count in declared.items() if count > 1 or name in ranges}
    return frozenset(again.union(_changed_inside(words)))


def _is_declared(words: Words, index: int) -> bool:
    is_before = words[index + 1 : index + 2] in (("=",), ("(",), ("{",), (";",))
    return is_before and any(_declares(words[max(start, 0) : index + 1]) for start in (index - 1, index - 2))


def _changed_inside(words: Words) -> Iterator[str]:
    callees: list[str] = []
    for index, word in enumerate(words):
        before = words[index - 1] if index else ""
        behind, following = (*words[index + 1 : index + 3], "", "")[:2]
        if word in OPENING:
            callees.append(before if word == "(" else "")
        elif word in OPENING.values():
            callees = callees[:-1]
        elif word.isidentifier():
            is_assigned = behind == "=" and not _is_declared(words, index)
            is_assigned |= (following == "=" and behind in _ASSIGNING) or not _COUNTING.isdisjoint((before, behind))
            is_argument = before in ("(", ",", "&") and behind in (")", ",")
            is_argument &= bool(callees) and callees[-1].isidentifier() and callees[-1] not in _CHANGE_NOTHING
            if is_assigned or is_argument or (behind == "." and following not in _ONLY_READ):
                yield word


def _last_opening(words: Words) -> int | None:
    """Return the index of the bracket that the last token closes."""
    for index, word in top_level(words):
        if word in ("(", "{") and closing(words, index) == len(words) - 1:
            return index
    return None


def _before_template(words: Words, end: int) -> int:
    """Return the index before the ``<`` that belongs to the ``>`` at `end`."""
    depth = 0
    for index in range(end, -1, -1):
        depth += {">": 1, "<": -1}.get(words[index], 0)
        if depth == 0:
            return index - 1
    return -1


class Simple(Struct, frozen=True):
    """An expression or declaration; with `returns`, one behind ``return``."""

    words: Words
    place: SourcePlace
    returns: bool = False


class Block(Struct, frozen=True):
    """Statements one after the other."""

    statements: tuple[Statement, ...] = ()


class If(Struct, frozen=True):
    """``if (condition) then else otherwise``"""

    condition: Words
    then: Statement
    otherwise: Statement
    place: SourcePlace


class ForEach(Struct, frozen=True):
    """``for (auto name : values) body``"""

    name: str
    values: Words
    body: Statement
    place: SourcePlace


class Other(Struct, frozen=True):
    """A statement of another kind, with all behind it in its block: another loop, ``switch``, a jump."""

    words: Words
    place: SourcePlace

    @property
    def leaves(self) -> bool:
        """True if it may end the function, or a loop around it."""
        return not _LEAVING.isdisjoint(self.words)


Statement = Simple | Block | If | ForEach | Other


def read_statements(words: Words, places: Sequence[SourcePlace]) -> Block:
    """Read the words between a function's braces; `places` has the place of each word. Never raises."""
    return _StatementReader(words, places).block(0, len(words), 0)


class _StatementReader:
    def __init__(self, words: Words, places: Sequence[SourcePlace]) -> None:
        self._words = words
        self._places = places

    def block(self, start: int, end: int, depth: int) -> Block:
        statements: list[Statement] = []
        while start < end:
            statement, start = self._statement(start, end, depth)
            statements.append(statement)
        return Block(tuple(statements))

    def _statement(self, start: int, end: int, depth: int) -> tuple[Statement, int]:
        """Return one statement and the index behind it."""
        word, place = self._words[start], self._places[start]
        if word == "{" and depth <= _MOST_NESTED:
            close = min(closing(self._words, start), end)
            return self.block(start + 1, close, depth + 1), close + 1
        if word in ("if", "for") and depth <= _MOST_NESTED and self._words[start + 1 : start + 2] == ("(",):
            return self._with_head(word, start, end, depth)
        if word in ("{", "if", "for") or word in _OTHERS:
            return Other(self._words[start:end], place), end
        semicolon = min(next((index for index, word in top_level(self._words, start) if word == ";"), end), end)
        returns = word == "return"
        return Simple(self._words[start + returns : semicolon], place, returns), semicolon + 1

    def _with_head(self, word: str, start: int, end: int, depth: int) -> tuple[Statement, int]:
        """Return ``if``, or ``for`` over a range."""
        close = min(closing(self._words, start + 1), end)
        head = self._words[start + 2 : close]
        colon = next((index for index, each in top_level(head) if each == ":"), 0)
        if not _declares(head[:colon]) if word == "for" else ";" in dict(top_level(head)).values():
            return Other(self._words[start:end], self._places[start]), end
        body, behind = self._body(close + 1, end, depth)
        if word == "for" and not isinstance(body, Other):
            return ForEach(head[colon - 1], head[colon + 1 :], body, self._places[start]), behind
        otherwise: Statement = Block()
        if self._words[behind : behind + 1] == ("else",) and behind < end:
            otherwise, behind = self._body(behind + 1, end, depth)
        if isinstance(body, Other) or isinstance(otherwise, Other):  # it ends behind the statement around it
            return Other(self._words[start:end], self._places[start]), end
        return If(head, body, otherwise, self._places[start]), behind

    def _body(self, start: int, end: int, depth: int) -> tuple[Statement, int]:
        return self._statement(start, end, depth + 1) if start < end else (Block(), end)


def leaves(statement: Statement) -> bool:
    """Whether a statement may end the function, or a loop around it."""
    match statement:
        case Simple():
            return statement.returns
        case Block(statements):
            return any(map(leaves, statements))
        case If():
            return leaves(statement.then) or leaves(statement.otherwise)
        case ForEach():
            return leaves(statement.body)
        case Other():
            return statement.leaves
