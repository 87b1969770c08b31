"""How certain something is of payload operations, and how that is combined."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence


class Multiplicity(Enum):
    """How many operations a handle holds."""

    ONE = "one"
    """A single one, once."""
    SEVERAL = "several"
    """At least two that are not the same."""
    ANY = "any"


class Certainty(Enum):
    """Whether something is so."""

    NEVER = "never"
    POSSIBLY = "possibly"
    CERTAINLY = "certainly"


class Repetition(Enum):
    """Whether a handle holds an operation more than once."""

    NEVER = "never"
    POSSIBLY = "possibly"
    CERTAINLY = "certainly"
    """One of them at least."""
    EACH = "each"
    """Each of them."""


class Origin(Enum):
    """Where the operations come from."""

    ROOT = "root"
    """They are what the script is applied to."""
    KNOWN = "known"
    UNKNOWN = "unknown"
    """Nothing is known of them at all: then nothing is said about them either."""


def either(first: Certainty, other: Certainty) -> Certainty:
    """Return what is certain where one of two is so."""
    return first if first is other else Certainty.POSSIBLY


def any_of(several: Iterable[Certainty]) -> Certainty:
    """Return whether something is so where any of several things makes it so."""
    found = set(several)
    if Certainty.CERTAINLY in found:
        return Certainty.CERTAINLY
    return Certainty.POSSIBLY if Certainty.POSSIBLY in found else Certainty.NEVER


def all_repetitions(shared: Repetition, parts: Sequence[Repetition]) -> Repetition:
    """Return how often lists one behind the other hold operations."""
    if shared is Repetition.EACH or all(part is Repetition.EACH for part in parts):
        return Repetition.EACH
    found = {shared, *parts}
    if not found.isdisjoint((Repetition.CERTAINLY, Repetition.EACH)):
        return Repetition.CERTAINLY
    return Repetition.POSSIBLY if Repetition.POSSIBLY in found else Repetition.NEVER


def either_repetition(first: Repetition, other: Repetition) -> Repetition:
    """Return how often a list holds operations of which one of two is so."""
    if first is other:
        return first
    both = {first, other}
    return Repetition.CERTAINLY if both == {Repetition.CERTAINLY, Repetition.EACH} else Repetition.POSSIBLY


def more_often(repetition: Repetition) -> Repetition:
    """Return how often a list holds operations that may be there again."""
    return Repetition.POSSIBLY if repetition is Repetition.NEVER else repetition


def certainly(holds: bool) -> Certainty:
    """Return how certain something is of which it is known whether it `holds`."""
    return Certainty.CERTAINLY if holds else Certainty.NEVER


def count_of(number: int, different: int) -> Multiplicity:
    """Return how many operations a list of so many has, of which so many are `different`."""
    if number == 1:
        return Multiplicity.ONE
    return Multiplicity.SEVERAL if different > 1 else Multiplicity.ANY


def repetition_in(listed: Sequence[Hashable]) -> Repetition:
    """Return how often something is in a list that is not empty."""
    counts = [listed.count(item) for item in listed]
    if max(counts) == 1:
        return Repetition.NEVER
    return Repetition.EACH if min(counts) > 1 else Repetition.CERTAINLY
