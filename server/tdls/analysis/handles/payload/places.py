"""Where the operations that handles stand for are in the payload as it was written.

A place is the number of a written operation: that is at it, and so is all that is new and was made of it, or for it,
wherever that stands. An operation can be in another one only if its place is that of the other one or in that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tdls.analysis.handles.payload.written_payload import WrittenOperation
    from tdls.bounds.budget import Budget

ROOT = 0


class Places(NamedTuple):
    """Where the operations of a set are."""

    all: frozenset[int] | None = None
    """All places at which there may be some; None: anywhere."""
    sure: frozenset[int] = frozenset()
    """Places whose written operations are certainly among them."""
    listed: tuple[int, ...] | None = None
    """The places of written operations, which are all, in the order in which the handle holds them; None if others may
    be among them."""
    is_one_each: bool = False
    """True if there is exactly one operation at each place, written or in place of what is, in any order."""

    def some(self) -> Places:
        """Return where some of the operations are."""
        return Places(self.all)


ANYWHERE = Places()


def listing(places: Iterable[int]) -> Places:
    """Return that a handle holds the written operations at `places`."""
    listed = tuple(places)
    different = frozenset(listed)
    return Places(different, different, listed, is_one_each=len(different) == len(listed))


class PlaceTree:
    """How the places of one payload lie to each other."""

    def __init__(self, operations: tuple[WrittenOperation, ...], budget: Budget) -> None:
        self.operations = operations
        self._budget = budget
        self._below: dict[frozenset[int], frozenset[int]] = {}

    def below(self, places: frozenset[int]) -> frozenset[int]:
        """Return `places` and all that are in them."""
        known = self._below.get(places)
        if known is None:
            if ROOT in places:
                known = frozenset(range(len(self.operations)))
            else:
                known = frozenset(inner for place in places for inner in range(place, self.operations[place].end))
            self._budget.spend(len(known))
            self._below[places] = known
        return known

    def outermost(self, place: int) -> int:
        """Return the operation of a module that a place is in, or the root for itself."""
        while self.operations[place].parent > ROOT:
            place = self.operations[place].parent
        return place

    def around(self, place: int) -> Iterator[int]:
        """Yield what is around a place, from inside to outside, without the root."""
        while self.operations[place].parent > ROOT:
            place = self.operations[place].parent
            yield place

    def in_order_of_walks(self, place: int) -> Iterator[int]:
        """Yield what is at a place and in it, as MLIR walks: what is nested comes first."""
        open_places: list[int] = []
        for inner in range(place, self.operations[place].end):
            while open_places and self.operations[open_places[-1]].end <= inner:
                yield open_places.pop()
            open_places.append(inner)
        yield from reversed(open_places)

    def is_in(self, place: int, other: int) -> bool:
        """Tell whether a place is in another one, or that one itself."""
        return other <= place < self.operations[other].end

    def enclosing(self, place: int, nth: int, is_wanted: Callable[[str], bool | None]) -> int | None:
        """Return the `nth` operation around a place whose name is wanted; None where that is not known."""
        for outer in self.around(place):
            wanted = is_wanted(self.operations[outer].name)
            if wanted is None:
                return None
            nth -= wanted
            if nth == 0:
                return outer
        return None
