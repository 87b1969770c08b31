"""Sets of payload operations that handles stand for, and how these lie to each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.handles.payload.facts import NOTHING_SAID, PayloadFacts
from tdls.analysis.handles.payload.names import Kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tdls.analysis.handles.payload.written_payload import WrittenOperation
    from tdls.limits import Budget
    from tdls.semantic.model import Operation, Value

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


class Nesting(Enum):
    """How each operation of an inner set lies to some operation of an outer one."""

    PART = "part"
    """It is that operation."""
    NESTED = "nested"
    """It is nested in that operation."""
    FOUND = "found"
    """It is that operation, or nested in it."""


@dataclass(eq=False, slots=True)
class PayloadSet:
    """The payload operations, or the values that they define, which handles stand for.

    It is not empty, by assumption, unless there is a reason to doubt that: what is wrong with a handle to nothing does
    not show.

    `value` is the handle that it was made for, by the operation `maker`, or as argument of a block.
    """

    value: Value
    maker: Operation | None
    made: int
    """When it was made, in steps of the run."""
    facts: PayloadFacts = NOTHING_SAID
    """What is known of its operations whatever else there is."""
    outer: list[Link] = field(default_factory=list)
    inner: list[Link] = field(default_factory=list)
    parts: list[PayloadSet] = field(default_factory=list)
    """Sets that are certain to be part of it."""
    wholes: list[PayloadSet] = field(default_factory=list)
    """Sets that it is part of."""
    apart: tuple[object, ...] = ()
    """An object for each group of sets with no operation in common that it is one of: the same in each of them."""
    replaces: tuple[PayloadSet, ...] = ()
    """Consumed sets in whose place its operations, which are new, stand."""
    handles: list[Value] = field(default_factory=list)
    """The handles that stand for it."""
    interface: str | None = None
    """The interface that they were looked for by, if they were looked for by one alone."""
    defined_by: PayloadSet | None = None
    """For a set of values: the operations that define them, if these are exactly known."""
    places: Places = ANYWHERE
    """Where its operations were, in the payload as it was written, when that was noted."""
    placed: int = 0
    """How often operations had been mixed up by then."""
    may_be_empty: bool = False
    """True if there is a reason to think that there are no such operations: then nothing is certain of its handles."""

    @property
    def kinds(self) -> Kinds:
        """What its operations are by how they are called, or by what they were looked for by."""
        return Kinds(self.facts.names, self.interface)


@dataclass(frozen=True, eq=False, slots=True)
class Link:
    """Each operation of `inner` lies to some operation of `outer` as `nesting` says, from step `made` on."""

    inner: PayloadSet
    outer: PayloadSet
    nesting: Nesting
    made: int
    is_firm: bool
    """True if no operation ever leaves the outer ones: these are the same, or functions, modules, or the root."""


def link(inner: PayloadSet, outer: PayloadSet, nesting: Nesting, made: int, *, is_firm: bool = False) -> None:
    """Note how `inner` lies to `outer`."""
    if inner is outer:
        return
    new = Link(inner, outer, nesting, made, is_firm or outer.facts.is_root or nesting is Nesting.PART)
    inner.outer.append(new)
    outer.inner.append(new)
    if nesting is Nesting.PART:
        outer.parts.append(inner)
        inner.wholes.append(outer)


def may_share(first: PayloadSet, other: PayloadSet) -> bool:
    """Tell whether two sets may have an operation in common."""
    if first is other:
        return True
    if are_apart(first, other):
        return False
    names, other_names = first.facts.names, other.facts.names
    if names is not None and other_names is not None and names.isdisjoint(other_names):
        return False
    return not (first.facts.is_new and other.made < first.made) and not (other.facts.is_new and first.made < other.made)


def certainly_share(several: Iterable[PayloadSet], budget: Budget) -> bool:
    """Tell whether two of several sets certainly have an operation in common: they are the same, or parts of them."""
    seen: set[int] = set()
    for payload in several:
        budget.spend(1 + len(payload.parts))
        own = {id(payload), *map(id, payload.parts)}
        if not seen.isdisjoint(own):
            return True
        seen |= own
    return False


def set_apart(several: list[PayloadSet]) -> None:
    """Note that the sets have no operation in common."""
    together = object()
    for payload in several:
        payload.apart = (*payload.apart, together)


def are_all_apart(several: list[PayloadSet]) -> bool:
    """Tell whether sets, each of which is there once, were made as ones that have no operation in common."""
    common = set(several[0].apart).intersection(*(payload.apart for payload in several)) if several else set()
    return bool(common) and len(set(several)) == len(several)


def are_apart(first: PayloadSet, other: PayloadSet) -> bool:
    """Tell whether two sets are certain to have no operation in common."""
    return first is not other and any(together in other.apart for together in first.apart)
