"""A text as lines: what white space, tokens and comment each one has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdls.syntax.scanner import Tokens

_UNUSUAL = re.compile(r"[\r\v\f]")


@dataclass(slots=True)
class TextLine:
    """One line: ``text[start:end]`` without its line break.

    Tokens ``[first, last)`` begin on it; `comment` is the offset of its ``//``, None without comment.
    `is_unusual` tells of white space other than blanks, tabs and line breaks.
    """

    start: int
    end: int
    indent_end: int
    first: int
    last: int
    comment: int | None
    is_unusual: bool = False

    @property
    def has_tokens(self) -> bool:
        """Tell whether any token begins on the line."""
        return self.first < self.last

    @property
    def is_blank(self) -> bool:
        """Tell whether there is nothing but white space."""
        return not self.has_tokens and self.comment is None


def lines_of(tokens: Tokens) -> list[TextLine]:
    """Return the lines of a scanned text. One that ends in a line break has an empty last line."""
    text = tokens.text
    lines: list[TextLine] = []
    start = first = 0
    while start >= 0:
        newline = text.find("\n", start)
        end = newline if newline >= 0 else len(text)
        last = first
        while last < tokens.count and tokens.starts[last] < end:
            last += 1
        lines.append(_line(tokens, start, end, first, last))
        first = last
        start = newline + 1 if newline >= 0 else -1
    return lines


def _line(tokens: Tokens, start: int, end: int, first: int, last: int) -> TextLine:
    text = tokens.text
    if text.endswith("\r", start, end):
        end -= 1
    rest = tokens.ends[last - 1] if first < last else start
    slashes = text.find("//", rest, end)
    comment = slashes if slashes >= 0 else None
    indent_end = tokens.starts[first] if first < last else comment if comment is not None else end
    unusual = _has_unusual_white_space(tokens, start, end if comment is None else comment, first, last)
    return TextLine(start, end, indent_end, first, last, comment, unusual)


def _has_unusual_white_space(tokens: Tokens, start: int, end: int, first: int, last: int) -> bool:
    if _UNUSUAL.search(tokens.text, start, end) is None:
        return False
    borders = [start, *(place for index in range(first, last) for place in (tokens.starts[index], tokens.ends[index]))]
    borders.append(end)
    gaps = zip(borders[::2], borders[1::2], strict=True)
    return any(_UNUSUAL.search(tokens.text, *gap) for gap in gaps)


def width(text: str, start: int, end: int, tab_size: int) -> int:
    """Return how many columns ``text[start:end]`` takes, which begins at column 0."""
    return len(text[start:end].expandtabs(tab_size)) if "\t" in text[start:end] else end - start
