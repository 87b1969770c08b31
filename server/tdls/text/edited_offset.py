"""Where a place of a text was before the text was edited."""

from __future__ import annotations


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
