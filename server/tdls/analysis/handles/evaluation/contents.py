"""What handles hold on a payload that is known, when they are defined, and how that lies to what others hold then."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.handles.payload.certainties import (
    Certainty,
    Multiplicity,
    Repetition,
    certainly,
    count_of,
    repetition_in,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.analysis.handles.evaluation.operations import PayloadOperation
    from tdls.semantic.model import Value

MOST_HELD = 64
"""Of handles that hold more operations it is not asked how these lie to each other."""


class Listed(NamedTuple):
    """What is true of a list of operations that are all known."""

    names: frozenset[str]
    multiplicity: Multiplicity
    repetition: Repetition
    nesting: Certainty
    outer_first: Certainty


class Relative(NamedTuple):
    """How what a new handle holds lies to what an `other` one holds, which was defined before."""

    other: Value
    is_inner: bool
    """True if the operations of the new handle are those of the other one, or are in them; else the other way round."""
    is_nested: bool
    """True if they are nested in them, and not the same."""
    is_all: bool
    """True if that is so of all inner operations, and not of some only."""


class KnownContents(NamedTuple):
    """What a handle holds when it is defined: something, at least."""

    listed: Listed | None
    """What is true of its operations; None if it may hold others than those that are known."""
    relatives: tuple[Relative, ...]


def listed_facts(held: Sequence[PayloadOperation]) -> Listed:
    """Return what is true of operations, in the order in which a handle holds them."""
    different = set(held)
    before: set[PayloadOperation] = set()
    is_nested = is_outer_first = False
    for operation in held:
        around = set(operation.ancestors())
        is_nested = is_nested or not around.isdisjoint(different)
        is_outer_first = is_outer_first or not around.isdisjoint(before)
        before.add(operation)
    return Listed(
        frozenset(operation.name for operation in different),
        count_of(len(held), len(different)),
        repetition_in(held),
        certainly(is_nested),
        certainly(is_outer_first),
    )


class Lying:
    """The operations that a handle holds, with what is around them."""

    def __init__(self, held: Sequence[PayloadOperation]) -> None:
        self.held = frozenset(held)
        self.is_nested_in = {operation: frozenset(operation.ancestors()) for operation in self.held}

    def to(self, handle: Value, others: frozenset[PayloadOperation]) -> Relative | None:
        """Return how they lie to those that another `handle` holds; None if they have nothing to do with each other."""
        common = self.held & others
        if common:
            is_inner = len(common) == len(self.held)
            return Relative(handle, is_inner, False, is_inner or len(common) == len(others))
        nested = sum(not around.isdisjoint(others) for around in self.is_nested_in.values())
        return Relative(handle, True, True, nested == len(self.held)) if nested else None

    def around(self, handle: Value, others: frozenset[PayloadOperation]) -> Relative | None:
        """Return how they lie to those of another `handle` that are nested in them; None if none is."""
        nested = sum(any(outer in self.held for outer in operation.ancestors()) for operation in others)
        return Relative(handle, False, True, nested == len(others)) if nested else None
