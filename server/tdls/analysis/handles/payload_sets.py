"""Sets of payload operations that handles stand for, and how these lie to each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdls.semantic.model import Operation, Value


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

    It is not empty, by assumption: what is wrong with a handle to nothing does not show.

    `value` is the handle that it was made for, by the operation `maker`, or as argument of a block.
    """

    value: Value
    maker: Operation | None
    made: int
    """When it was made, in steps of the run."""
    names: frozenset[str] | None = None
    """The names its operations may have; None where these are not known."""
    outer: list[Link] = field(default_factory=list)
    inner: list[Link] = field(default_factory=list)
    parts: list[PayloadSet] = field(default_factory=list)
    """Sets that are certain to be part of it."""
    wholes: list[PayloadSet] = field(default_factory=list)
    """Sets that it is part of."""
    apart: set[int] = field(default_factory=set)
    """Identities of sets that are certain to have no operation in common with it."""
    replaces: tuple[PayloadSet, ...] = ()
    """Consumed sets in whose place its operations, which are new, stand."""
    is_new: bool = False
    """True if its operations and all that is in them were made by `maker`."""
    is_flat: bool = False
    """True if none of its operations is nested in another one."""
    is_single: bool = False
    """True if it is one operation."""
    is_several: bool = False
    """True if it is more than one operation, for certain."""
    repeats: bool = False
    """True if handles to it certainly hold an operation more than once."""
    may_repeat: bool = False
    """True if handles to it may hold an operation more than once."""
    doubles: bool = False
    """True if handles to it certainly hold each of its operations more than once."""
    nests: bool = False
    """True if handles to it certainly hold an operation before another one that is nested in it."""
    may_nest: bool = False
    """True if handles to it may do so."""
    is_root: bool = False
    """True if it is what the script is applied to."""
    is_unknown: bool = False
    """True if nothing is known of it at all: then nothing is said about it either."""
    handles: list[Value] = field(default_factory=list)
    """The handles that stand for it."""
    defined_by: PayloadSet | None = None
    """For a set of values: the operations that define them, if these are exactly known."""


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
    new = Link(inner, outer, nesting, made, is_firm or outer.is_root or nesting is Nesting.PART)
    inner.outer.append(new)
    outer.inner.append(new)
    if nesting is Nesting.PART:
        outer.parts.append(inner)
        inner.wholes.append(outer)


def may_share(one: PayloadSet, other: PayloadSet) -> bool:
    """Tell whether two sets may have an operation in common."""
    if one is other:
        return True
    if id(other) in one.apart or (one.names is not None and other.names is not None and not one.names & other.names):
        return False
    return not (one.is_new and other.made < one.made) and not (other.is_new and one.made < other.made)


def certainly_share(one: PayloadSet, other: PayloadSet) -> bool:
    """Tell whether two sets certainly have an operation in common."""
    return one is other or one in other.parts or other in one.parts or any(part in other.parts for part in one.parts)


def set_apart(several: list[PayloadSet]) -> None:
    """Note that the sets have no operation in common."""
    identities = {id(one) for one in several}
    for one in several:
        one.apart |= identities - {id(one)}
