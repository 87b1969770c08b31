"""Reads the statements of a C++ function's body that determine the order of effects, and their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.sources.cpp.tokens import OPENING, arguments, closing, top_level
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.model import SourcePlace

_CHANGE_NOTHING = frozenset(
    (
        *("consumesHandle", "onlyReadsHandle", "producesHandle", "modifiesPayload", "onlyReadsPayload"),
        *("emplace_back", "push_back", "cast", "dyn_cast", "isa", "static_cast", "zip", "zip_equal", "enumerate"),
        *("ValueRange", "OperandRange", "ResultRange", "ArrayRef", "MutableArrayRef", "assert"),
    )
)
"""Functions that do not change variables passed by reference."""
_NO_TYPES = frozenset(("return", "new", "delete", "throw", "co_return", "not"))


class Procedure(Struct, frozen=True):
    """A function that adds effects to a list; `effects` is the list's index among `parameters`."""

    parameters: tuple[str, ...]
    effects: int
    body: CompoundStatement


class Call(Struct, frozen=True):
    """``object.path(arguments)``; `receiver` is the words before the last dot or arrow, `path` ends with the name."""

    receiver: Words
    path: tuple[str, ...]
    arguments: tuple[Words, ...]

    @property
    def name(self) -> str:
        """The function's own name."""
        return self.path[-1]


def call_of(words: Words) -> Call | None:
    """Return the call if the whole expression is one, else None."""
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
    """Read ``[&](Type name, ...) { body }``; `effects` is -1, since the list is that of the function around it."""
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
    """Return the names on the left of ``=``, in a declaration, a structured binding or an assignment."""
    if left[-1:] == ("]",) and "[" in left:
        return tuple(word for word in left[left.index("[") :] if word.isidentifier())
    return tuple([word for word in left if word.isidentifier()][-1:])


def initialised(words: Words) -> tuple[str, Words] | None:
    """Return name and initial value of ``Type name(value)`` and ``Type name{value}``, or None for other words."""
    opening = _last_opening(words)
    if opening is None or opening < 2 or not words[opening - 1].isidentifier():
        return None
    if not _ends_type(words[: opening - 1]):
        return None
    inside = words[opening + 1 : -1]
    return words[opening - 1], ("{", *inside, "}") if words[opening] == "{" else inside


def declared(words: Words) -> str | None:
    """Return the name that ``Type name`` declares, or None for other words."""
    return words[-1] if words and words[-1].isidentifier() and _ends_type(words[:-1]) else None


def changed_inside(words: Words) -> Iterator[str]:
    """Yield the names that a statement may change without being an assignment to them.

    These are arguments of functions that may take references, and names assigned to within brackets, as in lambdas.
    """
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
    """Whether these words before a name may be its type."""
    if not words or not (words[0].isidentifier() or words[0] == "::"):
        return False
    return words[-1] in (">", "&", "*") or (words[-1].isidentifier() and words[-1] not in _NO_TYPES)


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


Words = tuple[str, ...]


class Simple(Struct, frozen=True):
    """An expression or declaration."""

    words: Words
    place: SourcePlace


class CompoundStatement(Struct, frozen=True):
    """Statements one after the other."""

    statements: tuple[Statement, ...] = ()


class If(Struct, frozen=True):
    """``if (initial; condition) then else otherwise``"""

    initial: Words
    condition: Words
    then: Statement
    otherwise: Statement
    place: SourcePlace


class ForEach(Struct, frozen=True):
    """``for (auto [names] : values) body``"""

    names: Words
    values: Words
    body: Statement
    place: SourcePlace


class Perhaps(Struct, frozen=True):
    """A statement that may run any number of times: another kind of loop, ``switch``, ``try``; `words` are its head."""

    words: Words
    body: Statement
    place: SourcePlace


class Return(Struct, frozen=True):
    """``return words;``"""

    words: Words
    place: SourcePlace


class Jump(Struct, frozen=True):
    """``break``, ``continue``; with `anywhere`, ``goto``"""

    place: SourcePlace
    anywhere: bool = False


Statement = Simple | CompoundStatement | If | ForEach | Perhaps | Return | Jump

_MOST_NESTED = 50


def read_statements(words: Words, places: Sequence[SourcePlace]) -> CompoundStatement:
    """Read the words between a function's braces; `places` has the place of each word. Never raises."""
    return _StatementReader(words, places).block(0, len(words), 0)


class _StatementReader:
    def __init__(self, words: Words, places: Sequence[SourcePlace]) -> None:
        self._words = words
        self._places = places

    def block(self, start: int, end: int, depth: int) -> CompoundStatement:
        statements: list[Statement] = []
        while start < end:
            statement, start = self._statement(start, end, depth)
            statements.append(statement)
        return CompoundStatement(tuple(statements))

    def _statement(self, start: int, end: int, depth: int) -> tuple[Statement, int]:
        """Return one statement and the index behind it."""
        word = self._words[start]
        if depth > _MOST_NESTED:
            return Simple(self._words[start:end], self._places[start]), end
        if word == "{":
            close = min(closing(self._words, start), end)
            return self.block(start + 1, close, depth + 1), close + 1
        if word == "if":
            return self._if(start, end, depth)
        if word == "for" and self._follows(start, "("):
            return self._for(start, end, depth)
        if word in ("while", "switch", "catch") and self._follows(start, "("):
            return self._perhaps(start, end, depth)
        if word in ("do", "try", "else"):
            body, behind = self._body(start + 1, end, depth)
            return Perhaps((), body, self._places[start]), behind
        if word in ("case", "default"):
            colon = start
            while colon < end and self._words[colon] != ":":
                colon += 1
            return CompoundStatement(), colon + 1
        return self._simple(start, end)

    def _follows(self, index: int, word: str) -> bool:
        return self._words[index + 1 : index + 2] == (word,)

    def _body(self, start: int, end: int, depth: int) -> tuple[Statement, int]:
        return self._statement(start, end, depth + 1) if start < end else (CompoundStatement(), end)

    def _head(self, start: int, end: int) -> tuple[int, int]:
        opening = start + 1
        while opening < end and self._words[opening] != "(":
            opening += 1
        return opening, min(closing(self._words, opening), end)

    def _if(self, start: int, end: int, depth: int) -> tuple[Statement, int]:
        opening, close = self._head(start, end)
        head = self._words[opening + 1 : close]
        semicolon = next((index for index, word in top_level(head) if word == ";"), None)
        initial = head[:semicolon] if semicolon is not None else ()
        condition = head[semicolon + 1 :] if semicolon is not None else head
        then, behind = self._body(close + 1, end, depth)
        otherwise: Statement = CompoundStatement()
        if behind < end and self._words[behind] == "else":
            otherwise, behind = self._body(behind + 1, end, depth)
        return If(initial, condition, then, otherwise, self._places[start]), behind

    def _for(self, start: int, end: int, depth: int) -> tuple[Statement, int]:
        opening, close = self._head(start, end)
        head = self._words[opening + 1 : close]
        colon = next((index for index, word in top_level(head) if word == ":"), None)
        if colon is None:
            return self._perhaps(start, end, depth)
        body, behind = self._body(close + 1, end, depth)
        return ForEach(_declared(head[:colon]), head[colon + 1 :], body, self._places[start]), behind

    def _perhaps(self, start: int, end: int, depth: int) -> tuple[Statement, int]:
        opening, close = self._head(start, end)
        body, behind = self._body(close + 1, end, depth)
        return Perhaps(self._words[opening + 1 : close], body, self._places[start]), behind

    def _simple(self, start: int, end: int) -> tuple[Statement, int]:
        place = self._places[start]
        semicolon = min(next((index for index, word in top_level(self._words, start) if word == ";"), end), end)
        words = self._words[start:semicolon]
        if words[:1] == ("return",):
            return Return(words[1:], place), semicolon + 1
        if words[:1] in (("break",), ("continue",), ("goto",)):
            return Jump(place, anywhere=words[0] == "goto"), semicolon + 1
        return Simple(words, place), semicolon + 1


def statements_in(statement: Statement) -> Iterator[Statement]:
    """Yield a statement and all statements in it."""
    yield statement
    for child in _children(statement):
        yield from statements_in(child)


def words_in(statement: Statement) -> Iterator[str]:
    """Yield all words of a statement, in any order."""
    for inner in statements_in(statement):
        match inner:
            case Simple(words) | Return(words) | Perhaps(words):
                yield from words
            case ForEach(names, values):
                yield from (*names, *values)
            case If(initial, condition):
                yield from (*initial, *condition)


def leaves(statement: Statement) -> bool:
    """Whether a statement contains a jump or return."""
    return any(isinstance(inner, Return | Jump) for inner in statements_in(statement))


def without_loop_jumps(statement: Statement) -> Statement:
    """Return the statement without ``break`` and ``continue``, which only change how often a body runs."""
    match statement:
        case CompoundStatement(statements):
            return CompoundStatement(tuple(without_loop_jumps(inner) for inner in statements))
        case If(initial, condition, then, otherwise, place):
            return If(initial, condition, without_loop_jumps(then), without_loop_jumps(otherwise), place)
        case ForEach(names, values, body, place):
            return ForEach(names, values, without_loop_jumps(body), place)
        case Perhaps(words, body, place):
            return Perhaps(words, without_loop_jumps(body), place)
        case Jump(anywhere=False):
            return CompoundStatement()
        case _:
            return statement


def _children(statement: Statement) -> tuple[Statement, ...]:
    match statement:
        case CompoundStatement(statements):
            return statements
        case If():
            return (statement.then, statement.otherwise)
        case ForEach() | Perhaps():
            return (statement.body,)
        case _:
            return ()


def _declared(declaration: Words) -> Words:
    """Return the names that ``auto &&[a, b]`` or ``OpOperand &a`` declares."""
    if declaration[-1:] == ("]",):
        opening = declaration.index("[")
        return tuple(word for word in declaration[opening:] if word.isidentifier())
    return declaration[-1:]
