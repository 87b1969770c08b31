"""Finds the handles that become invalid when a handle is consumed, by following links between payload sets.

After `recordOpHandleInvalidation` and `recordValueHandleInvalidation` of
mlir/lib/Dialect/Transform/Interfaces/TransformInterfaces.cpp.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from tdls.analysis.handles.contents import Origin
from tdls.analysis.handles.sets import Link, Nesting, PayloadSet, are_apart
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tdls.limits import Budget
    from tdls.payload.kinds import PayloadNames

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
    """Tell whether each operation of `inner` is certain to be nested in one of the same one of `several` sets."""
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
    """Tell whether `other` may have an operation of `consumed`, or one nested in it, as far as is known.

    Returns False for sets of unknown origin, to report nothing about them, and for the root, which stays.
    """
    if other.facts.origin is not _KNOWN or consumed.facts.origin is _UNKNOWN:
        return False
    if consumed is not other and not names.may_cover_kinds(consumed.kinds, other.kinds):
        budget.spend()
        return False
    return _Possibility(consumed, names, last_motion, budget).of(other, _MOST_REPLACEMENTS)


def is_suspected(consumed: PayloadSet, other: PayloadSet, names: PayloadNames, budget: Budget) -> bool:
    """Tell whether there is a reason to suspect that `other` has an operation of `consumed`, or one nested in it.

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
    """Tell whether operations are taken for structured ones: by their kind, or as replacements of such operations."""
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
        """Tell whether no operation of an older set was moved into new operations since these were made."""
        if self._last_motion <= new.made:
            return True
        names = new.facts.names
        return self._names.are_containers(names) and not self._names.may_nest(names, older.facts.names)


def _is_around(outer: PayloadSet, inner: PayloadSet, budget: Budget) -> bool:
    """Tell whether `outer` is known to be around `inner`, so that it stays when `inner` is erased.

    An operation found in a set may be one of the set itself, but real scripts do not search that way.
    """
    seen: set[int] = set()
    todo = [(link, link.nesting is not Nesting.PART) for link in inner.outer]
    while todo:
        step, is_nested = todo.pop()
        if step.outer is outer and is_nested:
            return _are_in_place_of_flat(inner) or step.nesting is Nesting.FOUND
        if id(step.outer) not in seen:
            seen.add(id(step.outer))
            budget.spend(1 + len(step.outer.outer))
            todo.extend((link, is_nested or link.nesting is not Nesting.PART) for link in step.outer.outer)
    return False


def _are_in_place_of_flat(payload: PayloadSet) -> bool:
    """Tell whether a set, or each set that it replaced, is flat: no operation is nested in another one."""
    return payload.facts.is_flat or (bool(payload.replaces) and all(map(_are_in_place_of_flat, payload.replaces)))


def _wholes(part: PayloadSet, seen: set[int]) -> Iterator[PayloadSet]:
    """Yield the sets that `part` is directly or indirectly part of, except those in `seen`; adds these to `seen`."""
    todo = list(part.wholes)
    while todo:
        whole = todo.pop()
        if id(whole) not in seen:
            seen.add(id(whole))
            yield whole
            todo.extend(whole.wholes)
