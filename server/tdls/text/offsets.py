"""Running totals of a long list that changes in one place again and again."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Offsets:
    """Where each of several things begins that stand one behind the other, and where the last one ends.

    Immutable. What stands behind the place of an edit is moved when it is asked for, so that editing in one place costs
    the same however long the list is.
    """

    __slots__ = ("_base", "_first", "_shift")

    def __init__(self, base: Sequence[int], first: int, shift: int) -> None:
        """Use `of`: entries of `base` behind index `first` count `shift` more."""
        self._base = base
        self._first = first
        self._shift = shift

    @classmethod
    def of(cls, lengths: Iterable[int]) -> Offsets:
        """Return the offsets of things that are this long."""
        base = list(accumulate(lengths, initial=0))
        return cls(base, len(base), 0)

    def __getitem__(self, index: int) -> int:
        """Return where thing `index` begins; one behind the last one means the end of all."""
        return self._base[index] + (self._shift if index > self._first else 0)

    @property
    def total(self) -> int:
        """The length of everything."""
        return self[len(self._base) - 1]

    def index_at(self, offset: int) -> int:
        """Return the index of the last thing that begins at `offset` or before; -1 before the first one."""
        behind = self._first + 1
        if behind < len(self._base) and offset >= self[behind]:
            return bisect_right(self._base, offset - self._shift, behind) - 1
        return bisect_right(self._base, offset, 0, min(behind, len(self._base))) - 1

    def replaced(self, first: int, before: Sequence[int], after: Sequence[int]) -> Offsets:
        """Return the offsets after things that are `before` long, from index `first` on, became `after`."""
        while before and after and before[0] == after[0]:
            first, before, after = first + 1, before[1:], after[1:]
        if not before and not after:
            return self
        if len(before) == len(after) == 1 and (first == self._first or not self._shift):
            return Offsets(self._base, first, self._shift + after[0] - before[0])
        starts = [self[index] for index in range(first + 1)]
        starts.extend(accumulate(after, initial=starts.pop()))
        growth = sum(after) - sum(before)
        behind = first + len(before) + 1
        starts.extend(self[index] + growth for index in range(behind, len(self._base)))
        return Offsets(starts, len(starts), 0)
