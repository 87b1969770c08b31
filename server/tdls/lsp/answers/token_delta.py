"""The difference between two lists of numbers, as one replaced run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from array import array


class Replacement(NamedTuple):
    """Replace `removed` numbers from `start` on by `data`."""

    start: int
    removed: int
    data: array[int]


def difference(before: array[int], after: array[int]) -> Replacement | None:
    """Return the smallest replacement that makes `after` of `before`; None if they are equal."""
    if before == after:
        return None
    shorter = min(len(before), len(after))
    start = _common(before, after, shorter)
    rest = shorter - start
    end = _common_end(before, after, rest)
    return Replacement(start, len(before) - start - end, after[start : len(after) - end])


def _common(before: array[int], after: array[int], limit: int) -> int:
    """Return how many numbers are the same at the beginning, at most `limit`."""
    same, step = 0, limit
    while step:
        if before[same : same + step] == after[same : same + step]:
            same += step
            step = min(step, limit - same)
        else:
            step //= 2
    return same


def _common_end(before: array[int], after: array[int], limit: int) -> int:
    same, step = 0, limit
    while step:
        ours, others = len(before) - same, len(after) - same
        if before[ours - step : ours] == after[others - step : others]:
            same += step
            step = min(step, limit - same)
        else:
            step //= 2
    return same
