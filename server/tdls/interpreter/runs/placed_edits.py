"""Text with insertions, and the mapping from its offsets and columns back to the original."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from itertools import accumulate, pairwise
from operator import attrgetter
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Insertion(NamedTuple):
    """Inserts `text`, which has no line breaks, before the code point at `offset` of the original."""

    offset: int
    text: str


class PlacedEdits:
    """The original with `insertions`; those at one offset keep their order.

    Since insertions have no line breaks, lines keep their numbers; columns and offsets are mapped. A position inside an
    insertion maps to the code point of the original that follows it.
    """

    def __init__(self, original: str, insertions: Iterable[Insertion] = ()) -> None:
        """`insertions` may be in any order. `text` is the edited text."""
        self.original = original
        self._insertions = sorted(insertions, key=attrgetter("offset"))
        self._offsets = [insertion.offset for insertion in self._insertions]
        self._grown = list(accumulate((len(insertion.text) for insertion in self._insertions), initial=0))
        self._starts = [place + grown for place, grown in zip(self._offsets, self._grown, strict=False)]
        bounds = [0, *self._offsets, len(original)]
        pieces = [original[start:end] for start, end in pairwise(bounds)]
        inserted = [*(insertion.text for insertion in self._insertions), ""]
        self.text = "".join(part for pair in zip(pieces, inserted, strict=True) for part in pair)
        self._by_line = self._columns_by_line(original)

    def inserting(self, insertions: Iterable[Insertion]) -> PlacedEdits:
        """Return these edits combined with `insertions` into `text`, as edits of the original."""
        added = deque(sorted(insertions, key=attrgetter("offset")))
        parts: list[Insertion] = []
        for start, grown, known in zip(self._starts, self._grown, self._insertions, strict=False):
            done = 0
            while added and added[0].offset < start + len(known.text):
                offset, text = added.popleft()
                inside = max(offset - start, done)
                parts += (Insertion(known.offset, known.text[done:inside]),) if inside > done else ()
                parts.append(Insertion(min(offset - grown, known.offset), text))
                done = inside
            parts.append(Insertion(known.offset, known.text[done:]))
        return PlacedEdits(self.original, [*parts, *(Insertion(at - self._grown[-1], text) for at, text in added)])

    def edited_offset(self, offset: int) -> int:
        """Return the offset in `text` of the code point at `offset` of the original, behind insertions there."""
        return offset + self._grown[bisect_right(self._offsets, offset)]

    def original_offset(self, offset: int) -> int:
        """Return the offset in the original for an offset in `text`."""
        index = bisect_right(self._starts, offset) - 1
        return offset if index < 0 else max(self._offsets[index], offset - self._grown[index + 1])

    def original_column(self, line: int, column: int) -> int:
        """Return the column in the original for a column in `text`. Both, and `line`, count from 1.

        Columns are in bytes of UTF-8; 0, the column of unknown positions, stays 0.
        """
        removed = 0
        for start, length in self._by_line.get(line, ()):
            if column <= start:
                break
            if column <= start + length:
                return start - removed + 1
            removed += length
        return column - removed

    def _columns_by_line(self, original: str) -> dict[int, list[tuple[int, int]]]:
        """Return, by line, the byte column in `text` and the byte length of each insertion."""
        columns: dict[int, list[tuple[int, int]]] = {}
        line, line_start, done = 1, 0, 0
        for offset, text in self._insertions:
            breaks = original.count("\n", done, offset)
            if breaks:
                line, line_start = line + breaks, original.rindex("\n", done, offset) + 1
            done = offset
            known = columns.setdefault(line, [])
            before = sum(length for _, length in known)
            sizes = [len(each.encode("utf-8", "replace")) for each in (original[line_start:offset], text)]
            known.append((before + sizes[0], sizes[1]))
        return columns
