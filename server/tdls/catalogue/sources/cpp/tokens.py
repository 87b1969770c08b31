"""Tokens of C++ code, and groups of them in brackets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TOKEN = re.compile(r'[A-Za-z_]\w*|\d[\w.\']*|""|"\s*"|::|->|\+\+|--|&&|\|\||[=!<>]=|[^\s\w]')
OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(OPENING.values())


class CppToken(NamedTuple):
    """A token of blanked code. `offset` is its place in the file."""

    text: str
    offset: int


def tokens(code: str, start: int, end: int) -> list[CppToken]:
    """Tokens of blanked code between two offsets. ``>`` is always a token of its own."""
    return [CppToken(match[0], match.start()) for match in _TOKEN.finditer(code, start, end)]


def closing(words: Sequence[str], opening: int) -> int:
    """Index of the bracket that closes the one at `opening`, `len(words)` where it stays open."""
    depth = 0
    for index in range(opening, len(words)):
        if words[index] in OPENING:
            depth += 1
        elif words[index] in _CLOSING:
            depth -= 1
            if depth == 0:
                return index
    return len(words)


def top_level(words: Sequence[str], start: int = 0) -> Iterator[tuple[int, str]]:
    """Index and text of the tokens outside of brackets; of a pair of brackets only the opening one."""
    index = start
    while index < len(words):
        yield index, words[index]
        index = closing(words, index) + 1 if words[index] in OPENING else index + 1


def arguments(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Split at commas outside of brackets, those of templates included; none for no tokens."""
    if not words:
        return []
    parts: list[list[str]] = [[]]
    angles = 0
    position = 0
    for index, word in top_level(words):
        parts[-1].extend(words[position:index])
        position = index
        if word == "<" and index and words[index - 1][-1:].isidentifier():
            angles += 1
        elif word == ">" and angles:
            angles -= 1
        elif word == "," and not angles:
            parts.append([])
            position = index + 1
    parts[-1].extend(words[position:])
    return [tuple(part) for part in parts]
