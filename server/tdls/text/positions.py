"""Line and column positions of a text, with columns in code points or in an editor's code units."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import Enum

from tdls.structs import NamedTuple

_LINE_END = re.compile(r"\r\n|\n|\r")


class Position(NamedTuple):
    """A 0-based line and a 0-based column counted in code points."""

    line: int
    column: int


class LineIndex:
    r"""Offsets of the starts of a text's lines; lines end at ``\n``, ``\r\n`` or ``\r``, as in LSP."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    @property
    def line_count(self) -> int:
        """The number of lines; a text that ends in a line break has an empty last line."""
        return len(self._starts)

    def position(self, offset: int) -> Position:
        """Return the position of `offset`, which is clamped to the text."""
        clamped = max(0, min(offset, len(self._text)))
        line = bisect_right(self._starts, clamped) - 1
        return Position(line, clamped - self._starts[line])

    def offset(self, position: Position) -> int:
        """Return the offset of `position`; a column behind the line's end means its end."""
        if position.line >= len(self._starts):
            return len(self._text)
        start = self._starts[max(position.line, 0)]
        return min(start + position.column, start + len(self.line_text(position.line)))

    def line_text(self, line: int) -> str:
        """Return the text of the 0-based `line` without its line break."""
        start = self._starts[line]
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self._text)
        return self._text[start:end].rstrip("\r\n")


class PositionEncoding(Enum):
    """The unit of columns: code units of UTF-8 or UTF-16, or code points (UTF-32)."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"

    @property
    def is_trivial(self) -> bool:
        """True if columns are the same as in code points."""
        return self is PositionEncoding.UTF32

    def units(self, line: str, column: int) -> int:
        """Return the number of code units in the first `column` code points of `line`."""
        if self.is_trivial or line.isascii():
            return column
        before = line[:column]
        if self is PositionEncoding.UTF8:
            return len(before.encode("utf-8", "surrogatepass"))
        return len(before) + sum(character > "\uffff" for character in before)

    def column(self, line: str, units: int) -> int:
        """Return the column of the code point that begins at, or contains, code unit `units` of `line`.

        A number behind the end of `line` means its end.
        """
        if self.is_trivial or line.isascii():
            return min(units, len(line))
        seen = 0
        for column, character in enumerate(line):
            seen += self._width(character)
            if seen > units:
                return column
        return len(line)

    def _width(self, character: str) -> int:
        if self is PositionEncoding.UTF16:
            return 1 + (character > "\uffff")
        return len(character.encode("utf-8", "surrogatepass"))
