"""Payload sets of handles, the links between them, and which of them consuming one makes invalid.

After `recordOpHandleInvalidation` and `recordValueHandleInvalidation` of
mlir/lib/Dialect/Transform/Interfaces/TransformInterfaces.cpp.
"""

from __future__ import annotations

from collections import deque
from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.handles.contents import NOTHING_SAID, Contents, Origin
from tdls.payload.kinds import Kinds
from tdls.structs import NamedTuple, Struct, field

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from tdls.analysis.handles.matches import Match
    from tdls.limits import Budget
    from tdls.payload.kinds import PayloadNames
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
    apart: tuple[Group, ...] = ()
    """The groups of disjoint sets that the set belongs to."""
    replaces: tuple[PayloadSet, ...] = ()
    """Consumed sets that its new operations replace."""
    handles: list[Value] = field(default_factory=list)
    """The handles that hold it."""
    match: Match | None = None
    """The search that found the operations, or like ones."""
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

    @property
    def kinds(self) -> Kinds:
        """The kinds of its operations by their names, or by the interface of the search."""
        return Kinds(self.facts.names, self.match.interface if self.match is not None else None)

    @property
    def labels(self) -> frozenset[str]:
        """The attributes that the search requires, as words: people give each label to other operations."""
        return self.match.labels if self.match is not None else frozenset()

    def parts(self) -> Iterator[PayloadSet]:
        """Yield the sets that are certainly part of it."""
        return (link.inner for link in self.inner if link.nesting is Nesting.PART)

    def wholes(self) -> Iterator[PayloadSet]:
        """Yield the sets that it is part of."""
        return (link.outer for link in self.outer if link.nesting is Nesting.PART)


class Group(Struct, eq=False):
    """Sets that have no operation in common."""

    members: list[PayloadSet]


class Link(Struct, frozen=True, eq=False):
    """From step `made` on, each operation of `inner` relates to some operation of `outer` by `nesting`."""

    inner: PayloadSet
    outer: PayloadSet
    nesting: Nesting
    made: int
    is_firm: bool
    """True if no operation can leave the outer ones: these are the same, or functions, modules, or the root."""

    def holds(self, last_motion: int) -> bool:
        """Whether it still holds after operations were moved in step `last_motion`."""
        return self.is_firm or self.made >= last_motion


def may_share(first: PayloadSet, other: PayloadSet) -> bool:
    """Whether two sets may have an operation in common."""
    if first is other:
        return True
    if are_apart(first, other):
        return False
    names, other_names = first.facts.names, other.facts.names
    if names is not None and other_names is not None and names.isdisjoint(other_names):
        return False
    return not (first.facts.is_new and other.made < first.made) and not (other.facts.is_new and first.made < other.made)


def certainly_share(several: Iterable[PayloadSet], budget: Budget) -> bool:
    """Whether two of several sets certainly have an operation in common: the same set, or a common part."""
    seen: set[int] = set()
    for payload in several:
        budget.spend(1 + len(payload.inner))
        own = {id(payload), *map(id, payload.parts())}
        if not seen.isdisjoint(own):
            return True
        seen |= own
    return False


def set_apart(several: list[PayloadSet]) -> None:
    """Record that the sets have no operation in common."""
    together = Group(several)
    for payload in several:
        payload.apart = (*payload.apart, together)


def are_all_apart(several: list[PayloadSet]) -> bool:
    """Whether the sets are distinct and belong to one group of disjoint sets."""
    common = set(several[0].apart).intersection(*(payload.apart for payload in several)) if several else set()
    return bool(common) and len(set(several)) == len(several)


def are_apart(first: PayloadSet, other: PayloadSet) -> bool:
    """Whether two sets certainly have no operation in common."""
    return first is not other and any(together in other.apart for together in first.apart)


_KNOWN, _UNKNOWN = Origin.KNOWN, Origin.UNKNOWN
_MOST_REPLACEMENTS = 8
"""Maximum number of successive replacements to follow back from a set to the sets that it replaced."""


class InvalidationStep(NamedTuple):
    """A linked list of links from the consumed set; `link` is the last one."""

    link: Link
    before: InvalidationStep | None


class Reach(NamedTuple):
    """A set whose handles become invalid, and the path to it from the consumed set; None for the consumed set itself.

    `part` is the part of the set that is nested in the consumed one: the set itself, unless its handles also hold other
    operations; one invalid operation makes the whole handle invalid.
    """

    set: PayloadSet
    part: PayloadSet
    last: InvalidationStep | None

    def way(self) -> Iterator[Link]:
        """Yield the links of the path, from inner to outer sets."""
        step = self.last
        while step is not None:
            yield step.link
            step = step.before


def reached(consumed: PayloadSet, last_motion: int, budget: Budget) -> Iterator[Reach]:
    """Yield the sets that certainly have an operation of `consumed`, or one nested in it.

    Follows a link only if no operation was moved since the link was made.
    """
    seen: set[int] = set()
    wholes: set[int] = set()
    todo: deque[tuple[PayloadSet, InvalidationStep | None]] = deque([(consumed, None)])
    while todo:
        inner, way = todo.popleft()
        if id(inner) in seen:
            continue
        seen.add(id(inner))
        budget.spend(1 + len(inner.inner) + len(inner.handles))
        yield Reach(inner, inner, way)
        for whole in _wholes(inner, wholes):
            budget.spend(1 + len(whole.handles))
            if id(whole) not in seen:
                yield Reach(whole, inner, way)
        todo.extend((link.inner, InvalidationStep(link, way)) for link in inner.inner if link.holds(last_motion))


def outward(inner: PayloadSet, last_motion: int, budget: Budget) -> Iterator[PayloadSet]:
    """Yield the sets that each operation of `inner` certainly is in, or is nested in.

    With 0 for `last_motion`, links that may hold no longer are followed, too.
    """
    seen = {id(inner)}
    todo = [inner]
    while todo:
        links = todo.pop().outer
        budget.spend(1 + len(links))
        for link in links:
            if id(link.outer) not in seen and link.holds(last_motion):
                seen.add(id(link.outer))
                todo.append(link.outer)
                yield link.outer


def is_nested_in(inner: PayloadSet, several: Collection[PayloadSet], last_motion: int, budget: Budget) -> bool:
    """Whether each operation of `inner` is certain to be nested in one of the same one of `several` sets."""
    seen: set[tuple[int, bool]] = set()
    todo = [(inner, False)] if several else []
    while todo:
        payload, is_nested = todo.pop()
        budget.spend(1 + len(payload.outer))
        for link in payload.outer:
            step = (link.outer, is_nested or link.nesting is Nesting.NESTED)
            holds = link.nesting is not Nesting.FOUND and link.holds(last_motion)
            if holds and (id(link.outer), step[1]) not in seen:
                seen.add((id(link.outer), step[1]))
                todo.append(step)
                if step[1] and link.outer in several:
                    return True
    return False


def may_reach(consumed: PayloadSet, other: PayloadSet, names: PayloadNames, last_motion: int, budget: Budget) -> bool:
    """Whether `other` may have an operation of `consumed`, or one nested in it, as far as is known.

    Returns False for sets of unknown origin, to report nothing about them, and for the root, which stays.
    """
    if other.facts.origin is not _KNOWN or consumed.facts.origin is _UNKNOWN:
        return False
    if consumed is not other and not names.may_cover_kinds(consumed.kinds, other.kinds):
        budget.spend()
        return False
    return _Possibility(consumed, names, last_motion, budget).of(other, _MOST_REPLACEMENTS)


def is_suspected(consumed: PayloadSet, other: PayloadSet, names: PayloadNames, budget: Budget) -> bool:
    """Whether there is a reason to suspect that `other` has an operation of `consumed`, or one nested in it.

    Labels are for different operations. An operation found along data flow is taken for another one than all known
    ones, except for its origin and the sets linked to it. Functions and loops may be around it.
    """
    if consumed is other:
        return True
    if consumed.labels and other.labels and consumed.labels.isdisjoint(other.labels):
        return names.may_nest(consumed.facts.names, other.facts.names)
    if not (consumed.is_vague or other.is_vague) or not _are_computations(consumed, names, _MOST_REPLACEMENTS):
        return True
    if other.kinds.are_tiled and not other.labels:
        return True
    begin = other.flows_from
    if consumed.flows_from is other or begin is consumed:
        return True
    if begin is not None and names.may_nest(consumed.facts.names, begin.facts.names) and not consumed.is_vague:
        return True
    return other in outward(consumed, 0, budget) or consumed in outward(other, 0, budget)


def _are_computations(payload: PayloadSet, names: PayloadNames, depth: int) -> bool:
    """Whether operations are taken for structured ones: by their kind, or as replacements of such operations."""
    if payload.is_vague or payload.kinds.are_tiled or names.are_structured(payload.facts.names):
        return True
    replaced = payload.replaces if payload.facts.names is None and depth else ()
    return bool(replaced) and all(_are_computations(old, names, depth - 1) for old in replaced)


class _Possibility:
    """Decides whether sets may have an operation of `consumed`, or one nested in it; memoizes by set and depth."""

    def __init__(self, consumed: PayloadSet, names: PayloadNames, last_motion: int, budget: Budget) -> None:
        self._consumed = consumed
        self._names = names
        self._last_motion = last_motion
        self._budget = budget
        self._known: dict[tuple[int, int], bool] = {}

    def of(self, other: PayloadSet, depth: int) -> bool:
        """Return the answer for `other`; follow the sets that it replaced `depth` steps back."""
        question = (id(other), depth)
        if question not in self._known:
            self._budget.spend()
            self._known[question] = self._of(other, depth)
        return self._known[question]

    def _of(self, other: PayloadSet, depth: int) -> bool:
        consumed = self._consumed
        if consumed is other or depth == 0:
            return True
        facts, others = consumed.facts, other.facts
        if not self._names.may_cover_kinds(consumed.kinds, other.kinds):
            return False
        if _is_around(consumed, other, self._budget):
            return True
        if (facts.is_flat or others.is_flat) and are_apart(consumed, other):
            return False
        if _is_around(other, consumed, self._budget):
            return False
        if facts.is_new and other.made < consumed.made and self._stays_out(consumed, other):
            return False
        if others.is_new and consumed.made < other.made and not self._names.may_nest(facts.names, others.names):
            return False
        if others.is_new and other.replaces and consumed.made < other.made:
            return any(self.of(replaced, depth - 1) for replaced in other.replaces if replaced is not consumed)
        return True

    def _stays_out(self, new: PayloadSet, older: PayloadSet) -> bool:
        """Whether no operation of an older set was moved into new operations since these were made."""
        if self._last_motion <= new.made:
            return True
        names = new.facts.names
        return self._names.are_containers(names) and not self._names.may_nest(names, older.facts.names)


def _is_around(outer: PayloadSet, inner: PayloadSet, budget: Budget) -> bool:
    """Whether `outer` is known to be around `inner`, so that it stays when `inner` is erased.

    An operation found in a set may be one of the set itself, but real scripts do not search that way.
    """
    seen: set[int] = set()
    todo = [(link, link.nesting is not Nesting.PART) for link in inner.outer]
    while todo:
        step, is_nested = todo.pop()
        if step.outer is outer and is_nested:
            return inner.facts.is_flat or step.nesting is Nesting.FOUND
        if id(step.outer) not in seen:
            seen.add(id(step.outer))
            budget.spend(1 + len(step.outer.outer))
            todo.extend((link, is_nested or link.nesting is not Nesting.PART) for link in step.outer.outer)
    return False


def _wholes(part: PayloadSet, seen: set[int]) -> Iterator[PayloadSet]:
    """Yield the sets that `part` is directly or indirectly part of, except those in `seen`; adds these to `seen`."""
    todo = list(part.wholes())
    while todo:
        whole = todo.pop()
        if id(whole) not in seen:
            seen.add(id(whole))
            yield whole
            todo.extend(whole.wholes())
