"""Half-open ranges of a text."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """The half-open range ``[start, end)`` of a text, counted in code points from 0."""

    start: int
    end: int

    def shifted(self, offset: int) -> Span:
        """Return the span moved by `offset` code points."""
        return Span(self.start + offset, self.end + offset)
