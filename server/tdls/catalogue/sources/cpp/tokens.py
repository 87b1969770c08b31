"""Splits C++ code into tokens and groups in brackets, and blanks text that is not code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TOKEN = re.compile(r'[A-Za-z_]\w*|\d[\w.\']*|""|"\s*"|::|->|\+\+|--|&&|\|\||[=!<>]=|[^\s\w]')
OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(OPENING.values())


class CppToken(NamedTuple):
    """A token of blanked code. `offset` is its 0-based offset in the file, in code points."""

    text: str
    offset: int


def tokens(code: str, start: int, end: int) -> list[CppToken]:
    """Return the tokens of blanked code between two offsets. ``>`` is always a token of its own."""
    return [CppToken(match[0], match.start()) for match in _TOKEN.finditer(code, start, end)]


def closing(words: Sequence[str], opening: int) -> int:
    """Return the index of the bracket that closes the one at `opening`; `len(words)` if it stays open."""
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
    """Yield index and text of the tokens outside of brackets; of a pair of brackets only the opening one."""
    index = start
    while index < len(words):
        yield index, words[index]
        index = closing(words, index) + 1 if words[index] in OPENING else index + 1


def arguments(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Split at commas outside of brackets, including template brackets; no tokens give no arguments."""
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


_NOT_CODE = re.compile(
    r"""
    //(?:[^\n\\]|\\[\s\S])*                                             # to the end of the line, which "\" continues
  | /\*[\s\S]*?(?:\*/|\Z)
  | (?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{0,16})\(                       # up to what begins a raw string
  | (?:u8|[uUL])?"(?:[^"\\\n]|\\[\s\S])*"?
  | u8'(?:[^'\\\n]|\\.)*'
  | (?<![0-9A-Fa-f\\])'(?:[^'\\\n]|\\.)*'                                 # not the separator of digits
    """,
    re.VERBOSE,
)
_NOT_SPACE = re.compile(r"[^\s]")
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?P<word>\w*)(?P<rest>(?:[^\n\\]|\\[\s\S])*)", re.MULTILINE)
_OPENING = frozenset(("if", "ifdef", "ifndef"))
_CONSTANTS = frozenset(("0", "1", "true", "false"))


def blanked(text: str) -> str:
    """Return a text of the same length, with spaces in place of comments, literals, directives and excluded branches.

    Line ends are kept. String literals become ``""`` with spaces between. Of several branches of ``#if`` the first one
    that is not ``#if 0`` is kept; if it is not certain that it is compiled, one ``#`` stays at its beginning. Never
    raises.
    """
    code = "".join(_pieces_of_code(text))
    return _without_directives(code) if "#" in code else code


def _pieces_of_code(text: str) -> Iterator[str]:
    position = 0
    while (match := _NOT_CODE.search(text, position)) is not None:
        yield text[position : match.start()]
        position = match.end() if match["delimiter"] is None else _end_of_raw_string(text, match)
        yield _blanked_literal(text[match.start() : position])
    yield text[position:]


def _end_of_raw_string(text: str, head: re.Match[str]) -> int:
    closing = f'){head["delimiter"]}"'
    end = text.find(closing, head.end())
    return len(text) if end < 0 else end + len(closing)


def _blanked_literal(found: str) -> str:
    inside = _NOT_SPACE.sub(" ", found)
    is_closed = found[0] != "/" and len(found) > 1 and found[-1] in "'\""
    return f'"{inside[1:-1]}"' if is_closed else inside


def _without_directives(code: str) -> str:
    """Return `code` without preprocessor lines and branches not taken."""
    pieces: list[str] = []
    position = 0
    for start, end, mark in _removed(code):
        if start < position:
            continue
        pieces += (code[position:start], mark, _NOT_SPACE.sub(" ", code[start + len(mark) : end]))
        position = end
    pieces.append(code[position:])
    return "".join(pieces)


def _removed(code: str) -> Iterator[tuple[int, int, str]]:
    """Yield the ranges to blank in ascending order, each with the text to keep at its beginning."""
    branches: list[bool] = []
    """For each open `#if`, whether one of its branches was kept."""
    dropped_since: int | None = None
    dropping_depth = 0
    for match in _DIRECTIVE.finditer(code):
        word = match["word"]
        if word in _OPENING:
            branches.append(word != "if" or match["rest"].strip() not in ("0", "false"))
        begins_drop = bool(branches) and _drops(word, branches)
        ends_drop = dropped_since is not None and len(branches) == dropping_depth and not begins_drop
        if dropped_since is None and begins_drop:
            dropped_since, dropping_depth = match.start(), len(branches)
        elif dropped_since is not None and ends_drop and word in ("else", "elif", "endif"):
            yield dropped_since, match.end(), ""
            dropped_since = None
        elif dropped_since is None:
            is_open = word in _OPENING and match["rest"].strip() not in _CONSTANTS
            yield match.start(), match.end(), "#" * is_open
        if word in ("else", "elif") and branches:
            branches[-1] = True
        if word == "endif" and branches:
            branches.pop()
    if dropped_since is not None:
        yield dropped_since, len(code), ""


def _drops(word: str, branches: list[bool]) -> bool:
    """Whether code that is not compiled begins at this directive."""
    if word in ("else", "elif", "elifdef", "elifndef"):
        return branches[-1]
    return word == "if" and not branches[-1]
