"""Which handles become invalid when a handle is consumed; after `recordOpHandleInvalidation` and
`recordValueHandleInvalidation` of mlir/lib/Dialect/Transform/Interfaces/TransformInterfaces.cpp."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.handles.payload_sets import Nesting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.handles.payload_names import PayloadNames
    from tdls.analysis.handles.payload_sets import Link, PayloadSet


class Reach(NamedTuple):
    """A set whose handles become invalid, and the way to it from the consumed set: links from inner to outer sets.

    `part` is the part of the set that is nested in the consumed one: the set itself, unless a handle also stands for
    other operations; one invalid operation makes the whole handle invalid.
    """

    set: PayloadSet
    part: PayloadSet
    way: tuple[Link, ...]


def reached(consumed: PayloadSet, last_motion: int) -> Iterator[Reach]:
    """Yield the sets that certainly have an operation of `consumed`, or one nested in it.

    Links made before step `last_motion` hold no longer, since payload operations were moved then, unless they are firm.
    """
    seen: set[int] = set()
    todo: list[tuple[PayloadSet, tuple[Link, ...]]] = [(consumed, ())]
    while todo:
        inner, way = todo.pop(0)
        if id(inner) in seen:
            continue
        seen.add(id(inner))
        yield Reach(inner, inner, way)
        for whole in _wholes(inner):
            if id(whole) not in seen:
                yield Reach(whole, inner, way)
        todo.extend((one.inner, (one, *way)) for one in inner.inner if one.is_firm or one.made >= last_motion)


def outward(inner: PayloadSet, last_motion: int) -> Iterator[PayloadSet]:
    """Yield the sets that each operation of `inner` certainly is in, or is nested in."""
    seen = {id(inner)}
    todo = [inner]
    while todo:
        for one in todo.pop().outer:
            if id(one.outer) not in seen and (one.is_firm or one.made >= last_motion):
                seen.add(id(one.outer))
                todo.append(one.outer)
                yield one.outer


def is_nested_in(inner: PayloadSet, outer: PayloadSet, last_motion: int) -> bool:
    """Tell whether each operation of `inner` is certain to be nested in one of `outer`."""
    seen: set[tuple[int, bool]] = set()
    todo = [(inner, False)]
    while todo:
        payload, is_nested = todo.pop()
        for one in payload.outer:
            step = (one.outer, is_nested or one.nesting is Nesting.NESTED)
            holds = one.nesting is not Nesting.FOUND and (one.is_firm or one.made >= last_motion)
            if holds and (id(one.outer), step[1]) not in seen:
                seen.add((id(one.outer), step[1]))
                todo.append(step)
                if step == (outer, True):
                    return True
    return False


def may_reach(consumed: PayloadSet, other: PayloadSet, names: PayloadNames, last_motion: int) -> bool:
    """Tell whether `other` may have an operation of `consumed`, or one nested in it, as far as is known.

    Sets of which nothing is known are not talked about.
    """
    if consumed.is_unknown or other.is_unknown or other.is_root:
        return False
    return _may_reach(consumed, other, names, last_motion, depth=8)


def _may_reach(consumed: PayloadSet, other: PayloadSet, names: PayloadNames, last_motion: int, depth: int) -> bool:
    if consumed is other:
        return True
    if depth == 0:
        return True
    if not names.may_cover(consumed.names, other.names):
        return False
    if id(other) in consumed.apart and (consumed.is_flat or other.is_flat):
        return False
    if _is_around(other, consumed):
        return False
    if consumed.is_new and other.made < consumed.made and last_motion <= consumed.made:
        return False
    if other.is_new and other.replaces and consumed.made < other.made:
        replaced = (one for one in other.replaces if one is not consumed)
        return any(_may_reach(consumed, one, names, last_motion, depth - 1) for one in replaced)
    return True


def _is_around(outer: PayloadSet, inner: PayloadSet) -> bool:
    """Tell whether `outer` is known to be around `inner`, so that it stays when `inner` goes.

    What is found in a set may be one of its operations; that is not what people do.
    """
    seen: set[int] = set()
    todo = [(one, one.nesting is not Nesting.PART) for one in inner.outer]
    while todo:
        step, is_nested = todo.pop()
        if step.outer is outer and is_nested:
            return inner.is_flat or step.nesting is Nesting.FOUND
        if id(step.outer) not in seen:
            seen.add(id(step.outer))
            todo.extend((one, is_nested or one.nesting is not Nesting.PART) for one in step.outer.outer)
    return False


def _wholes(part: PayloadSet) -> Iterator[PayloadSet]:
    """Yield what a set is part of, and what that is part of."""
    seen: set[int] = set()
    todo = list(part.wholes)
    while todo:
        whole = todo.pop()
        if id(whole) not in seen:
            seen.add(id(whole))
            yield whole
            todo.extend(whole.wholes)
