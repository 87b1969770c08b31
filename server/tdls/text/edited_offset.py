"""Where a place of a text was before the text was edited, and where it is after that."""

from __future__ import annotations

from typing import NamedTuple


class EditedStretch(NamedTuple):
    """Where two texts differ: from `begin` up to `end_before` in one, and up to `end_after` in the other."""

    begin: int
    end_before: int
    end_after: int

    @classmethod
    def between(cls, before: str, after: str) -> EditedStretch:
        """Return the smallest one; it is empty and at the end where the texts are equal."""
        most = min(len(before), len(after))
        begin = _common(before, after, most)
        end = _common(before[begin:][::-1], after[begin:][::-1], most - begin)
        return cls(begin, len(before) - end, len(after) - end)

    def moved(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where in the text after it the place is that was there before; None for what was edited."""
        if end <= self.begin:
            return start, end
        further = self.end_after - self.end_before
        return (start + further, end + further) if start >= self.end_before else None


def offset_before(before: str, after: str, offset: int) -> int:
    """Return the offset in `before` for one in `after`, which are the same but for one stretch.

    Places in that stretch are where it begins.
    """
    if before == after:
        return offset
    most = min(len(before), len(after))
    begin = _common(before, after, most)
    if offset <= begin:
        return offset
    end = _common(before[begin:][::-1], after[begin:][::-1], most - begin)
    return offset - len(after) + len(before) if offset >= len(after) - end else begin


def _common(text: str, other: str, most: int) -> int:
    """Return how many code points two texts begin with that are the same, at most `most`."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if text[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
