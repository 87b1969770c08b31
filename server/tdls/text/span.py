"""Half-open ranges of a text, counted in code points from 0: of the text at hand, and of a file.

The two are types of their own, which nothing takes for each other: a section is read without knowing where it stands.
"""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """The range ``[start, end)`` of the text at hand: of a section, in its tree and in all that is made of it."""

    start: int
    end: int

    def shifted(self, offset: int) -> Span:
        """Return the span moved by `offset` code points."""
        return Span(self.start + offset, self.end + offset)


class FileSpan(NamedTuple):
    """The range ``[start, end)`` of the text of a file."""

    start: int
    end: int

    def shifted(self, offset: int) -> FileSpan:
        """Return the span moved by `offset` code points."""
        return FileSpan(self.start + offset, self.end + offset)
