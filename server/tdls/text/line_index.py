"""Translation between offsets and line/column positions."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n|\n|\r")


class Position(NamedTuple):
    """A 0-based line and a 0-based column counted in code points."""

    line: int
    column: int


class LineIndex:
    r"""Where each line of a text starts; lines end at ``\n``, ``\r\n`` or ``\r``, as in LSP."""

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
