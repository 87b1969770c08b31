"""Finite lattices for facts about payload operations: count, certainty, repetition, origin, and their joins."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence


class Multiplicity(Enum):
    """The number of operations in a handle."""

    ONE = "one"
    """One operation, once."""
    SEVERAL = "several"
    """At least two different operations."""
    ANY = "any"


class Certainty(Enum):
    """Whether a property holds."""

    NEVER = "never"
    POSSIBLY = "possibly"
    CERTAINLY = "certainly"


class Repetition(Enum):
    """Whether a handle holds an operation more than once."""

    NEVER = "never"
    POSSIBLY = "possibly"
    CERTAINLY = "certainly"
    """At least one operation is repeated."""
    EACH = "each"
    """Each operation is repeated."""


class Origin(Enum):
    """The origin of the operations in a handle."""

    ROOT = "root"
    """The payload root, to which the script is applied."""
    KNOWN = "known"
    UNKNOWN = "unknown"
    """Nothing is known of them, so that nothing is reported about them."""


def either(first: Certainty, other: Certainty) -> Certainty:
    """Return the join: the certainty if one of two alternatives holds."""
    return first if first is other else Certainty.POSSIBLY


def any_of(several: Iterable[Certainty]) -> Certainty:
    """Return the disjunction: the certainty of a property that any of `several` implies."""
    found = set(several)
    if Certainty.CERTAINLY in found:
        return Certainty.CERTAINLY
    return Certainty.POSSIBLY if Certainty.POSSIBLY in found else Certainty.NEVER


def all_repetitions(shared: Repetition, parts: Sequence[Repetition]) -> Repetition:
    """Return the repetition in a concatenation of lists that have operations in common as `shared` says."""
    if shared is Repetition.EACH or all(part is Repetition.EACH for part in parts):
        return Repetition.EACH
    found = {shared, *parts}
    if not found.isdisjoint((Repetition.CERTAINLY, Repetition.EACH)):
        return Repetition.CERTAINLY
    return Repetition.POSSIBLY if Repetition.POSSIBLY in found else Repetition.NEVER


def either_repetition(first: Repetition, other: Repetition) -> Repetition:
    """Return the join: the repetition if one of two alternatives holds."""
    if first is other:
        return first
    both = {first, other}
    return Repetition.CERTAINLY if both == {Repetition.CERTAINLY, Repetition.EACH} else Repetition.POSSIBLY


def more_often(repetition: Repetition) -> Repetition:
    """Return the repetition in a list after its operations may have been added again."""
    return Repetition.POSSIBLY if repetition is Repetition.NEVER else repetition


def certainly(holds: bool) -> Certainty:
    """Return the certainty of a property that is known to hold or not."""
    return Certainty.CERTAINLY if holds else Certainty.NEVER


def count_of(number: int, different: int) -> Multiplicity:
    """Return the multiplicity of a list of length `number` with so many `different` elements."""
    if number == 1:
        return Multiplicity.ONE
    return Multiplicity.SEVERAL if different > 1 else Multiplicity.ANY


def repetition_in(listed: Sequence[Hashable]) -> Repetition:
    """Return the repetition in a list that is not empty."""
    counts = [listed.count(item) for item in listed]
    if max(counts) == 1:
        return Repetition.NEVER
    return Repetition.EACH if min(counts) > 1 else Repetition.CERTAINLY
