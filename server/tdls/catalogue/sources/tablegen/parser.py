"""Parses TableGen text to nodes, one top-level statement at a time, so that a broken one affects no other."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from tdls import grammars
from tdls.catalogue.sources.tablegen.nodes import DefinitionSet, Foreach, Let, Multiclass, is_deeper
from tdls.catalogue.sources.tablegen.scanner import Token, scan
from tdls.limits import NESTED_SYNTAX, PARSED_TOKENS, Budget, OverBudget
from tdls.structs import Struct, field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lark import Lark

    from tdls.catalogue.sources.tablegen.nodes import Statement

    Chunk: TypeAlias = list[Token]
    """The tokens of one statement, at least one."""

_STARTS = frozenset(
    (
        "INCLUDE",
        "CLASS",
        "DEF",
        "DEFM",
        "MULTICLASS",
        "LET",
        "FOREACH",
        "IF",
        "DEFVAR",
        "DEFSET",
        "DEFTYPE",
        "ASSERT",
        "DUMP",
    )
)
_ENDS = frozenset(("SEMICOLON", "RBRACE"))
_OPENERS = frozenset(("LBRACE", "LPAR", "LSQB"))
_CLOSERS = frozenset(("RBRACE", "RPAR", "RSQB"))
_BEFORE_BLOCKS = {"LET": ("IN",), "FOREACH": ("IN",), "DEFSET": ("EQUAL",), "MULTICLASS": ("IDENTIFIER", "MORETHAN")}


def split(tokens: list[Token], place: Callable[[int], tuple[int, int]]) -> list[Chunk]:
    """Split tokens into top-level statements by the nesting of brackets, or by layout if a bracket stays open.

    `place` returns line and column of an offset. A statement whose brackets are never closed ends before a line that
    begins another statement and is indented no deeper than its first line.
    """
    chunks: list[Chunk] = []
    start = depth = 0
    previous = "SEMICOLON"
    for index, token in enumerate(tokens):
        kind = token.type
        if kind in _OPENERS:
            depth += 1
        elif kind in _CLOSERS:
            depth = max(depth - 1, 0)
        elif (
            depth == 0 and kind in _STARTS and index > start and (previous in _ENDS or tokens[start].type == "INCLUDE")
        ):
            chunks.append(tokens[start:index])
            start = index
        previous = kind
    last = tokens[start:]
    if depth:
        return chunks + split_by_layout(last, place)
    return [*chunks, last] if last else chunks


def split_by_layout(tokens: list[Token], place: Callable[[int], tuple[int, int]]) -> list[Chunk]:
    """Split tokens into statements by layout: each begins in a line that is indented no deeper than the first."""
    first_line, indent = place(tokens[0].start_pos)
    line = first_line
    start = 0
    chunks: list[Chunk] = []
    for index, token in enumerate(tokens):
        token_line, column = place(token.start_pos)
        if token_line > line and column <= indent and token.type in _STARTS:
            chunks.append(tokens[start:index])
            start = index
        line = token_line
    return [*chunks, tokens[start:]]


def opening_brace(chunk: Chunk) -> int | None:
    """Return the index of the brace that opens the block of a statement, or None if it has no block."""
    before = _BEFORE_BLOCKS.get(chunk[0].type, ())
    depth = 0
    for index, token in enumerate(chunk):
        if token.type == "LBRACE" and depth == 0 and chunk[index - 1].type in before:
            return index
        if token.type in _OPENERS:
            depth += 1
        elif token.type in _CLOSERS:
            depth -= 1
    return None


def deepest_nesting(chunk: Chunk) -> int:
    """Return the maximum number of open brackets, including angle brackets."""
    depth = deepest = 0
    for token in chunk:
        kind = token.type
        if kind in _OPENERS or kind == "LESSTHAN":
            depth += 1
            deepest = max(deepest, depth)
        elif kind in _CLOSERS or kind == "MORETHAN":
            depth -= 1
    return deepest


_LONGEST_SHOWN = 60


def shortened(text: str) -> str:
    """Return a text of a file, shortened for a message."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."


_TOO_DEEP = -1
"""Marks a statement nested too deeply, in place of the index of an unexpected token."""
_NODES_PER_LEVEL = 4
"""Maximum number of nested nodes of one level of nesting: an operator has a tuple of tuples of values."""


class ParsedFile(Struct):
    """The statements of one file. It depends only on the text and the macros, and can be cached."""

    statements: tuple[Statement, ...] = ()
    problems: tuple[tuple[int, str], ...] = ()
    """Pairs of a 0-based line and a message."""
    asked_macros: frozenset[str] = frozenset()
    """Macros that decide which parts of the file are read, other than those that it defines before."""
    defined_macros: frozenset[str] = frozenset()
    """Macros that are defined at its end."""
    line_starts: array[int] = field(default_factory=lambda: array("I", [0]))
    starts: array[int] = field(default_factory=lambda: array("I"))
    """The start offset of each statement."""

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, both 0-based."""
        line = bisect_right(self.line_starts, offset) - 1
        return line, offset - self.line_starts[line]


def parse(text: str, macros: frozenset[str] = frozenset()) -> ParsedFile:
    """Parse a file with `macros` defined. Never raises; time is linear in the length of the text."""
    found = scan(text, macros)
    file = ParsedFile(
        asked_macros=frozenset(found.asked_macros),
        defined_macros=frozenset(found.defined_macros),
        line_starts=_line_starts(text),
    )
    reader = _SyntaxReader(file)
    placed = tuple(reader.read_placed(found.tokens))
    file.statements = tuple(statement for statement, _ in placed)
    file.starts = array("I", [start for _, start in placed])
    if found.open_conditionals:
        reader.report(len(text), "the file ends inside `#ifdef` or `#ifndef`; add the missing `#endif`")
    file.problems = tuple(reader.problems)
    return file


class _SyntaxReader:
    def __init__(self, file: ParsedFile) -> None:
        self.file = file
        self.problems: list[tuple[int, str]] = []
        self.budget = Budget(PARSED_TOKENS)

    def report(self, offset: int, message: str) -> None:
        self.problems.append((self.file.place(offset)[0], message))

    def read_placed(self, tokens: list[Token]) -> Iterator[tuple[Statement, int]]:
        """Yield the top-level statements with their offsets, until the budget is spent."""
        for chunk in split(tokens, self.file.place):
            start = chunk[0].start_pos
            try:
                yield from [(statement, start) for statement in self._read_chunk(chunk)]
            except OverBudget as over:
                self.report(start, f"this asks for more than {over}; it is left out with what follows")
                return

    def read(self, tokens: list[Token]) -> Iterator[Statement]:
        for chunk in split(tokens, self.file.place):
            yield from self._read_chunk(chunk)

    def _read_chunk(self, chunk: Chunk) -> Iterator[Statement]:
        statement, unexpected = self._parse(chunk)
        if unexpected is _TOO_DEEP:
            yield from self._read_pieces(chunk, None)
            return
        if unexpected is None:
            if statement is not None:
                yield statement
            return
        block = self._parse_around_block(chunk)
        if block is not None:
            header, inside = block
            yield header._replace(statements=tuple(self.read(inside)))
            return
        yield from self._read_pieces(chunk, unexpected)

    def _read_pieces(self, chunk: Chunk, unexpected: int | None) -> Iterator[Statement]:
        """Split a chunk that is not a statement by layout, since it may be several of which the first lacks its end.

        `unexpected` is the index of the unexpected token, None if the statement is nested too deeply.
        """
        pieces = split_by_layout(chunk, self.file.place)
        if len(pieces) > 1:
            for piece in pieces:
                yield from self._read_chunk(piece)
        elif unexpected is None:
            self.report(chunk[0].start_pos, "this statement is nested too deeply to be read; it is left out")
        else:
            yield from self._read_beginning(chunk, unexpected)

    def _read_beginning(self, chunk: Chunk, unexpected: int) -> Iterator[Statement]:
        """Yield the statement before the unexpected token, if there is one, and report the token."""
        if 0 < unexpected <= len(chunk) and chunk[unexpected - 1].type in _ENDS:
            statement, again = self._parse(chunk[:unexpected])
            if again is None and statement is not None:
                yield statement
        self._report_unexpected(chunk, unexpected)

    def _parse(self, chunk: Chunk) -> tuple[Statement | None, int | None]:
        """As `_parse_statement`, with `_TOO_DEEP` as index for a statement nested too deeply. Raises OverBudget."""
        if deepest_nesting(chunk) > NESTED_SYNTAX.most:
            return None, _TOO_DEEP
        self.budget.spend(len(chunk))
        statement, unexpected = _parse_statement(chunk)
        if len(chunk) > NESTED_SYNTAX.most and is_deeper(statement, NESTED_SYNTAX.most * _NODES_PER_LEVEL):
            return None, _TOO_DEEP
        return statement, unexpected

    def _parse_around_block(self, chunk: Chunk) -> tuple[Let | Foreach | Multiclass | DefinitionSet, Chunk] | None:
        """Return the statement with an empty block, and the tokens of the block, or None if it has no block."""
        opener = opening_brace(chunk)
        if opener is None:
            return None
        closer = len(chunk) - 1 if chunk[-1].type == "RBRACE" else len(chunk)
        end = Token("RBRACE", "}", chunk[-1].start_pos)
        statement, unexpected = self._parse([*chunk[: opener + 1], end])
        if unexpected is not None or not isinstance(statement, (Let, Foreach, Multiclass, DefinitionSet)):
            return None
        return statement, chunk[opener + 1 : closer]

    def _report_unexpected(self, chunk: Chunk, index: int) -> None:
        if index >= len(chunk):
            self.report(chunk[0].start_pos, "this statement has no end; it is left out until it has one")
        else:
            token = chunk[index]
            shown = shortened(str(token.value))
            self.report(token.start_pos, f"`{shown}` does not fit here; the statement around it is left out")


def _parse_statement(chunk: Chunk) -> tuple[Statement | None, int | None]:
    """Return the statement (None for one without effect), and the index of the unexpected token, if there is one."""
    import lark

    try:
        return statement_parser().parse(chunk), None  # type: ignore[return-value]
    except lark.UnexpectedInput as error:
        offset = error.pos_in_stream
        found = (index for index, token in enumerate(chunk) if token.start_pos == offset)
        at_end = getattr(error, "token", None) is not None and error.token.type == "$END"  # type: ignore[attr-defined]
        return None, len(chunk) if at_end else next(found, len(chunk))


def _line_starts(text: str) -> array[int]:
    starts = array("I", [0])
    position = text.find("\n")
    while position >= 0:
        starts.append(position + 1)
        position = text.find("\n", position + 1)
    return starts


@cache
def statement_parser() -> Lark:
    """Return the parser; lark is imported only when a file has to be read."""
    from tdls.catalogue.sources.tablegen.reductions import ScannedTokens, callbacks

    options = {"lexer": ScannedTokens, "transformer": callbacks(), "maybe_placeholders": True}
    return grammars.load("tablegen", ["statement"], **options)
