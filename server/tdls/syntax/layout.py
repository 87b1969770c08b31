"""Scans lines, comments, strings and brackets of a text without parsing it, in linear time.

Finds the first line of code, and brackets without a partner.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from tdls.structs import NamedTuple
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator


class Comment(NamedTuple):
    """A comment with its slashes, and its range in the scanned text."""

    text: str
    span: Span


def comments(text: str) -> Iterator[Comment]:
    """Yield the comments of `text` in order; slashes inside strings begin no comment."""
    for start, end in strings_and_comments(text):
        if text[start] == "/":
            yield Comment(text[start:end], Span(start, end))


SEPARATOR = "\v"
"""Precedes each script in the mask of a Python program; the scanner treats it as a blank."""
Counts: TypeAlias = tuple[int, ...]
# No pattern below requires anything behind a repetition, so that none backtracks and each takes linear time.
# Patterns that repeat a group have a bound and are matched again behind their end: a match blocks all other threads,
# and Python stores every round of it.
_BLANK_LINES = re.compile(r"(?:[ \t]*(?://[^\r\n]*)?[\r\n]){0,1000}")
_INDENT = re.compile(r"[ \t]*")
_BLANKS_AND_COMMENTS = re.compile(r"(?:\s+|//[^\n]*){0,1000}")
_REST_OF_LINE = re.compile(r"[ \t]*(?://[^\r\n]*)?")
_LABEL_OR_NAME = re.compile(r'\^|[\w$.]+|"[^"\n]*"', re.ASCII)
# A quote behind a backslash begins no string: if a string has no end, neither has a string that begins at one of its
# escaped quotes, so that each offset is tried once. Python finds the first characters of a pattern quickly only where
# nothing stands before them, so the test for a backslash stands behind the quote.
_OPAQUE = re.compile(r'"(?<!\\")[^"\\\n]*(?:\\.[^"\\\n]*)*"|//[^\r\n]*')
_OPENING = re.compile(r'"(?<!\\")|//')
_IN_STRING = re.compile(r'[^"\\\n]*(?:\\.[^"\\\n]*){0,1000}')
_COMMENT = re.compile(r"//[^\r\n]*")
_FEW_ESCAPES = 1000
"""Maximum number of backslashes in a text that is matched by a single pattern."""


class FirstCode(NamedTuple):
    """The offsets of the first line of code in a text and of the first character of its code."""

    line: int
    start: int

    @property
    def indent(self) -> int:
        """The indentation, in characters."""
        return self.start - self.line


def first_code(text: str, start: int = 0, end: int | None = None) -> FirstCode | None:
    """Return the first line of code between two offsets, behind blank lines and comments, or None."""
    stop = len(text) if end is None else end
    line = _end(_BLANK_LINES, text, start, stop)
    begin = _end(_INDENT, text, line, stop)
    is_code = begin < stop and text[begin] != "/" and not text[begin].isspace()
    return FirstCode(line, begin) if is_code else None


def code_start(text: str, start: int = 0, end: int | None = None) -> int:
    """Return the offset of the first code from `start` on, behind blanks and comments."""
    return _end(_BLANKS_AND_COMMENTS, text, start, len(text) if end is None else end)


def from_code_on(text: str) -> str:
    """Return `text` without leading blanks and comments."""
    return text[code_start(text) :]


def end_of_line_behind(text: str, start: int) -> int | None:
    """Return the end of the line if only blanks and a comment follow `start` in it, or None if code follows."""
    end = _end(_REST_OF_LINE, text, start, len(text))
    return end if end == len(text) or text[end] == "\n" or text.startswith("\r\n", end) else None


def _end(pattern: re.Pattern[str], text: str, start: int, stop: int) -> int:
    """Match `pattern`, which matches anywhere, again and again from `start`; return the end of the last match."""
    while (match := pattern.match(text, start, stop)) is not None and match.end() > start:
        start = match.end()
    return start


def indent_of(text: str, start: int = 0, end: int | None = None) -> int:
    """Return the indentation of the first line of code, in characters; 0 if there is no code."""
    first = first_code(text, start, end)
    return first.indent if first is not None else 0


def has_line_indented_up_to(indent: int, text: str) -> bool:
    """Whether a line of `text`, the first excluded, may begin a section of a level with this indentation."""
    return start_pattern(indent, (r"[A-Za-z_]\w*",)).search(text) is not None


def holds_operations(text: str, start: int = 0, end: int | None = None) -> bool:
    """Whether the code behind a brace may be operations, not a block label or dictionary entries."""
    stop = len(text) if end is None else end
    first = first_code(text, start, stop)
    if first is None:
        return False
    name = _LABEL_OR_NAME.match(text, first.start, stop)
    if name is None:
        return True
    behind = code_start(text, name.end(), stop)
    return name[0] != "^" and text[behind : min(behind + 1, stop)] not in ("=", ",", "}")


def without_opaque(text: str, *, blanks: bool = False) -> str:
    """Return `text` without comments and with all strings emptied, or with as many blanks in their place."""
    if '"' not in text and "//" not in text:
        return text
    if not blanks and text.count("\\") <= _FEW_ESCAPES:
        return _OPAQUE.sub(lambda match: "" if match[0].startswith("//") else '""', text)
    pieces, at = [], 0
    for start, end in strings_and_comments(text):
        pieces += [text[at:start], " " * (end - start) if blanks else "" if text[start] == "/" else '""']
        at = end
    return "".join([*pieces, text[at:]])


def strings_and_comments(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end offset of each comment and each string within one line, in order."""
    if text.count("\\") <= _FEW_ESCAPES:
        yield from (match.span() for match in _OPAQUE.finditer(text))
        return
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        start = opening.start()
        end = _end(_COMMENT, text, start, len(text)) if text[start] == "/" else _end_of_string(text, start)
        if end is not None:
            yield start, end
        at = opening.end() if end is None else end


def _end_of_string(text: str, quote: int) -> int | None:
    """Return the offset behind the string that begins at `quote`, or None if its line ends first."""
    end = _end(_IN_STRING, text, quote + 1, len(text))
    return end + 1 if text.startswith('"', end) else None


def line_breaks(text: str) -> int:
    r"""Return the number of line breaks, as LSP counts them: ``\n``, ``\r\n`` or ``\r``."""
    return text.count("\n") if "\r" not in text else text.count("\n") + text.count("\r") - text.count("\r\n")


def unpaired(text: str) -> tuple[Counts, Counts]:
    """Count the closing and the opening brackets of `text` without a partner, for each kind of `PAIRS`."""
    brackets_only = text.encode("utf-8", "surrogatepass").translate(None, _NO_BRACKETS)
    return _unpaired_of_line(brackets_only) if len(brackets_only) <= _FEW_BRACKETS else _unpaired(brackets_only)


def _unpaired(brackets_only: bytes) -> tuple[Counts, Counts]:
    left = [_reduced(brackets_only.translate(None, others), pair) for pair, others in PAIRS.items()]
    return (
        tuple(brackets.count(pair[1:]) for brackets, pair in zip(left, PAIRS, strict=True)),
        tuple(brackets.count(pair[:1]) for brackets, pair in zip(left, PAIRS, strict=True)),
    )


_FEW_BRACKETS = 30
"""Number of brackets of an ordinary line: where sections may begin at each line, most lines have the same ones."""
_unpaired_of_line = lru_cache(maxsize=1024)(_unpaired)


def _reduced(brackets: bytes, pair: bytes) -> bytes:
    """Remove all matching pairs from a sequence of brackets of one kind."""
    for _ in range(_MOST_ROUNDS):
        if pair not in brackets:
            return brackets
        brackets = brackets.replace(pair, b"")
    depth = closing = 0
    for bracket in brackets:
        if bracket == pair[0]:
            depth += 1
        elif depth:
            depth -= 1
        else:
            closing += 1
    return pair[1:] * closing + pair[:1] * depth


PAIRS = {pair: bytes(set(range(256)) - set(pair)) for pair in (b"{}", b"[]", b"()")}
"""Each kind of bracket with all other bytes."""
_NO_BRACKETS = bytes(set(range(256)) - set(b"".join(PAIRS)))
_MOST_ROUNDS = 30
"""Deeper nesting is counted byte by byte, so that time stays linear."""


@lru_cache(maxsize=256)
def start_pattern(indent: int, bare_names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for the line break before a possible section start, in a level that is indented by `indent`."""
    names = "|".join(bare_names) or "(?!)"
    return re.compile(
        rf'\n[ \t]{{0,{indent}}}(?:[A-Za-z_][\w$]*\.|%|"[^"\n]*"\s*\(|[!#][A-Za-z_][\w$.\-]*[ \t]*='
        rf"|(?:{names})(?![\w$.])|\{{-#)",
        re.ASCII,
    )
