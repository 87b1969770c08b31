"""Columns counted in code points, and in the code units that editors count in."""

from __future__ import annotations

from enum import Enum


class PositionEncoding(Enum):
    """What a column counts: code units of UTF-8 or UTF-16, or code points (UTF-32)."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"

    @property
    def is_trivial(self) -> bool:
        """True if columns are the same as in code points."""
        return self is PositionEncoding.UTF32

    def units(self, line: str, column: int) -> int:
        """Return how many code units the first `column` code points of `line` take."""
        if self.is_trivial or line.isascii():
            return column
        before = line[:column]
        if self is PositionEncoding.UTF8:
            return len(before.encode("utf-8", "surrogatepass"))
        return len(before) + sum(character > "\uffff" for character in before)

    def column(self, line: str, units: int) -> int:
        """Return the column of the code point that begins at `units`, or that it stands inside of.

        Units behind the end of `line` mean its end.
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
