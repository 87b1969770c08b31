"""Payload sets of handles, links between them (part, nested, found in), and places in the written payload."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.handles.contents import NOTHING_SAID, Contents
from tdls.payload.kinds import Kinds
from tdls.structs import NamedTuple, Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.limits import Budget
    from tdls.semantic.model import Operation, Value


class Places(NamedTuple):
    """The places of the operations of a set."""

    all: frozenset[int] | None = None
    """All possible places; None: anywhere."""
    sure: frozenset[int] = frozenset()
    """Places whose written operations are certainly in the set."""
    listed: tuple[int, ...] | None = None
    """The places of the written operations of the set in handle order; None if other operations may be in the set."""

    def some(self) -> Places:
        """Return the places of a subset."""
        return Places(self.all)


ANYWHERE = Places()


def listing(places: Iterable[int]) -> Places:
    """Return the `Places` of a handle that holds the written operations at `places`, in order."""
    listed = tuple(places)
    different = frozenset(listed)
    return Places(different, different, listed)


class Nesting(Enum):
    """The relation of each operation of an inner set to some operation of an outer one."""

    PART = "part"
    """It is that operation."""
    NESTED = "nested"
    """It is nested in that operation."""
    FOUND = "found"
    """It is that operation, or nested in it."""


class PayloadSet(Struct, eq=False):
    """A set of payload operations, or of the values that they define, held by handles.

    The set is assumed not to be empty unless `may_be_empty`: misuse of an empty handle has no effect.

    `value` is the handle that the set was created for: a result of `maker`, or a block argument.
    """

    value: Value
    maker: Operation | None
    made: int
    """The step of the run that created it."""
    facts: Contents = NOTHING_SAID
    """Facts about its operations, apart from other sets."""
    outer: list[Link] = field(default_factory=list)
    inner: list[Link] = field(default_factory=list)
    parts: list[PayloadSet] = field(default_factory=list)
    """Sets that are certainly part of it."""
    wholes: list[PayloadSet] = field(default_factory=list)
    """Sets that it is part of."""
    apart: tuple[object, ...] = ()
    """One shared object for each group of disjoint sets that the set belongs to."""
    replaces: tuple[PayloadSet, ...] = ()
    """Consumed sets that its new operations replace."""
    handles: list[Value] = field(default_factory=list)
    """The handles that hold it."""
    interface: str | None = None
    """The interface of the search that found the operations."""
    defined_by: PayloadSet | None = None
    """For a set of values: the operations that define them, if these are exactly known."""
    places: Places = ANYWHERE
    """The places of its operations in the written payload, when they were recorded."""
    placed: int = 0
    """The number of mixings (`Locations.mixes`) before `places` was recorded."""
    may_be_empty: bool = False
    """True if the set may be empty for a known reason: no finding about its handles is then certain."""
    may_be_root: bool = False
    """True if one of its operations may be the payload root."""
    is_vague: bool = False
    """True if the kind and the place of its operations are unknown: found along data flow, or made somehow."""
    flows_from: PayloadSet | None = None
    """The set whose operands or results led to its operations."""
    labels: frozenset[str] = frozenset()
    """The attributes that the search requires, as words: people give each label to other operations."""

    @property
    def kinds(self) -> Kinds:
        """The kinds of its operations by their names, or by the interface of the search."""
        return Kinds(self.facts.names, self.interface)


class Link(Struct, frozen=True, eq=False):
    """From step `made` on, each operation of `inner` relates to some operation of `outer` by `nesting`."""

    inner: PayloadSet
    outer: PayloadSet
    nesting: Nesting
    made: int
    is_firm: bool
    """True if no operation can leave the outer ones: these are the same, or functions, modules, or the root."""

    def holds(self, last_motion: int) -> bool:
        """Tell whether it still holds after operations were moved in step `last_motion`."""
        return self.is_firm or self.made >= last_motion


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
    """Tell whether two of several sets certainly have an operation in common: the same set, or a common part."""
    seen: set[int] = set()
    for payload in several:
        budget.spend(1 + len(payload.parts))
        own = {id(payload), *map(id, payload.parts)}
        if not seen.isdisjoint(own):
            return True
        seen |= own
    return False


def set_apart(several: list[PayloadSet]) -> None:
    """Record that the sets have no operation in common."""
    together = object()
    for payload in several:
        payload.apart = (*payload.apart, together)


def are_all_apart(several: list[PayloadSet]) -> bool:
    """Tell whether the sets are distinct and belong to one group of disjoint sets."""
    common = set(several[0].apart).intersection(*(payload.apart for payload in several)) if several else set()
    return bool(common) and len(set(several)) == len(several)


def are_apart(first: PayloadSet, other: PayloadSet) -> bool:
    """Tell whether two sets certainly have no operation in common."""
    return first is not other and any(together in other.apart for together in first.apart)
