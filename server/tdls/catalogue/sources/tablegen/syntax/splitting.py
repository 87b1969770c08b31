"""Tokens to top-level statements, without reading them, so that damage stays where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.catalogue.sources.tablegen.syntax.scanner import Token

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
    """The top-level statements, as bracket nesting says; where that does not work out, layout decides.

    `place` gives line and column of an offset. A statement whose brackets are never closed ends where a line that is
    indented no deeper than its first one begins another statement.
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
    """The statements as layout says: each begins a line that is indented no deeper than that of the first."""
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
    """Index of the brace that opens the block of a statement; None if it has no block."""
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


def is_complete_before(chunk: Chunk, index: int) -> bool:
    """May the statement end before the token at `index`?"""
    return 0 < index <= len(chunk) and chunk[index - 1].type in _ENDS


def deepest_nesting(chunk: Chunk) -> int:
    """How many brackets, angle brackets included, are open at most."""
    depth = deepest = 0
    for token in chunk:
        kind = token.type
        if kind in _OPENERS or kind == "LESSTHAN":
            depth += 1
            deepest = max(deepest, depth)
        elif kind in _CLOSERS or kind == "MORETHAN":
            depth -= 1
    return deepest
