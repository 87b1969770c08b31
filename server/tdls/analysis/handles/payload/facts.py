"""What is known of the payload operations that handles stand for, apart from how these lie to those of other handles.

A handle holds a list of operations, which is not empty. Facts stand for all lists of which they are true. They never
change: each operation on them returns new ones, which are true of all lists that the same step makes of lists of which
the old ones are true. A fact that says less stands for more lists, and no step makes more of less.

What nobody has a reason to suspect is `NEVER`: that is for those who make facts to decide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.handles.payload.lattice import (
    Certainty,
    Multiplicity,
    Origin,
    Repetition,
    all_repetitions,
    any_of,
    either,
    either_repetition,
    more_often,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_NAMES = 200
"""Handles to operations of more kinds than this may hold anything."""


class PayloadFacts(NamedTuple):
    """What is true of a list of payload operations."""

    names: frozenset[str] | None = None
    """The names that they may have; None where these are not known."""
    multiplicity: Multiplicity = Multiplicity.ANY
    repetition: Repetition = Repetition.NEVER
    nesting: Certainty = Certainty.POSSIBLY
    """Whether one of them is nested in another one."""
    outer_first: Certainty = Certainty.NEVER
    """Whether one of them stands before another one that is nested in it."""
    newness: Certainty = Certainty.POSSIBLY
    """Whether they, and all that is in them, were made when their set was."""
    origin: Origin = Origin.KNOWN

    @property
    def is_flat(self) -> bool:
        """True if none of them is nested in another one."""
        return self.nesting is Certainty.NEVER

    @property
    def is_new(self) -> bool:
        """True if they, and all that is in them, were made when their set was."""
        return self.newness is Certainty.CERTAINLY

    @property
    def is_root(self) -> bool:
        """True if they are what the script is applied to."""
        return self.origin is Origin.ROOT

    @property
    def is_unknown(self) -> bool:
        """True if nothing is known of them at all."""
        return self.origin is Origin.UNKNOWN

    # What is known of a list that is made of one

    def named(self, names: frozenset[str] | None) -> PayloadFacts:
        """Return what is known where the names are known otherwise."""
        return self if names == self.names else PayloadFacts(names, *self[1:])

    def part(self) -> PayloadFacts:
        """Return what is known of some of the list, in the same order."""
        repeats, stands_so = self.repetition is not Repetition.NEVER, self.outer_first is not Certainty.NEVER
        return PayloadFacts(
            self.names,
            self.multiplicity if self.multiplicity is Multiplicity.ONE else Multiplicity.ANY,
            Repetition.POSSIBLY if repeats else Repetition.NEVER,
            self.nesting if self.is_flat else Certainty.POSSIBLY,
            Certainty.POSSIBLY if stands_so else Certainty.NEVER,
            self.newness,
            self._origin_of_others(),
        )

    def selected(self, names: frozenset[str] | None) -> PayloadFacts:
        """Return what is known of those that have some of `names`, as often as the list has them."""
        part = self.part().named(names if names is not None else self.names)
        return part._replace(repetition=self.repetition) if self.repetition is Repetition.EACH else part

    def element(self) -> PayloadFacts:
        """Return what is known of a single one."""
        return one_operation(self.names, self._origin_of_others())

    def deduplicated(self) -> PayloadFacts:
        """Return what is known where only the first of several that are the same is kept."""
        if self.repetition is Repetition.NEVER:
            return self
        order = self.outer_first if self.outer_first is Certainty.NEVER else Certainty.POSSIBLY
        return self._replace(repetition=Repetition.NEVER, outer_first=order)

    def copied(self, times: Multiplicity) -> PayloadFacts:
        """Return what is known of the list put behind itself so many times."""
        if times is Multiplicity.ONE:
            return self
        return self._replace(
            multiplicity=self.multiplicity if self.multiplicity is Multiplicity.SEVERAL else Multiplicity.ANY,
            repetition=Repetition.EACH if times is Multiplicity.SEVERAL else more_often(self.repetition),
            outer_first=self.outer_first if self.is_flat else any_of((self.outer_first, Certainty.POSSIBLY)),
            origin=self._origin_of_others(),
        )

    def replaced(self) -> PayloadFacts:
        """Return what is known of new operations, one in the place of each old one, of whatever names.

        That fails where the list has one twice, or one before another one that is nested in it.
        """
        return PayloadFacts(
            multiplicity=self.multiplicity,
            nesting=self.nesting,
            newness=Certainty.CERTAINLY,
            origin=self._origin_of_others(),
        )

    def in_parts(self) -> PayloadFacts:
        """Return what is known where several operations, none in another one, may be in the place of each."""
        is_several = self.multiplicity is Multiplicity.SEVERAL
        return self._replace(
            multiplicity=Multiplicity.SEVERAL if is_several else Multiplicity.ANY, origin=self._origin_of_others()
        )

    def nests(self, deep: Certainty) -> PayloadFacts:
        """Return what is known where a nest of operations, from outside to inside, is in the place of each.

        `deep` says whether nests have more than one operation.
        """
        if deep is Certainty.NEVER:
            return self
        return self._replace(
            multiplicity=self.multiplicity if self.multiplicity is Multiplicity.SEVERAL else Multiplicity.ANY,
            nesting=any_of((self.nesting, deep)),
            outer_first=any_of((self.outer_first, deep)),
            origin=self._origin_of_others(),
        )

    def found_in(self, outer: PayloadFacts, is_in_another: Certainty) -> PayloadFacts:
        """Return what is known of what is found in each of another list in turn, from inside to outside.

        `is_in_another` says whether one of that list is nested in another one. What is known of names, and whether
        these are nested in each other, is kept.
        """
        comes_again = outer.repetition is not Repetition.NEVER or is_in_another is not Certainty.NEVER
        repetition = Repetition.POSSIBLY if comes_again else Repetition.NEVER
        return PayloadFacts(
            self.names,
            repetition=Repetition.EACH if outer.repetition is Repetition.EACH else repetition,
            nesting=self.nesting,
            outer_first=Certainty.POSSIBLY if comes_again and not self.is_flat else Certainty.NEVER,
        )

    def around(self, inner: PayloadFacts, repetition: Repetition, outer_first: Certainty) -> PayloadFacts:
        """Return what is known of operations around those of another list, one for each.

        `repetition` and `outer_first` say what else is known, if it is more than one. What is known of names, and
        whether these are nested in each other, is kept.
        """
        if inner.multiplicity is Multiplicity.ONE:
            return one_operation(self.names, inner._origin_of_others())._replace(nesting=self.nesting)
        return PayloadFacts(
            self.names,
            repetition=repetition,
            nesting=self.nesting,
            outer_first=Certainty.NEVER if self.is_flat else outer_first,
            origin=inner._origin_of_others(),
        )

    def _origin_of_others(self) -> Origin:
        """Return where operations come from that are others than the root, but are only known if these are."""
        return Origin.UNKNOWN if self.is_unknown else Origin.KNOWN

    # What is known of one of two lists

    def join(self, other: PayloadFacts) -> PayloadFacts:
        """Return what is known of a list of which one of two facts is true."""
        origins = {self.origin, other.origin}
        known = self.origin if self.origin is other.origin else Origin.KNOWN
        return PayloadFacts(
            _all_names((self, other)),
            self.multiplicity if self.multiplicity is other.multiplicity else Multiplicity.ANY,
            either_repetition(self.repetition, other.repetition),
            either(self.nesting, other.nesting),
            either(self.outer_first, other.outer_first),
            either(self.newness, other.newness),
            Origin.UNKNOWN if Origin.UNKNOWN in origins else known,
        )


NOTHING_SAID = PayloadFacts()
"""What is known of operations of which nobody said more."""
UNKNOWN = PayloadFacts(origin=Origin.UNKNOWN)
"""What is known where nobody knows anything, and nothing is said."""


def one_operation(names: frozenset[str] | None, origin: Origin = Origin.KNOWN) -> PayloadFacts:
    """Return what is known of a single operation."""
    return PayloadFacts(names, Multiplicity.ONE, nesting=Certainty.NEVER, origin=origin)


def union(parts: Sequence[PayloadFacts], shared: Repetition, is_in_earlier: Certainty) -> PayloadFacts:
    """Return what is known of lists one behind the other, which may be of different times.

    `shared` says whether two of the lists have operations in common; each does with another one where it says so.
    `is_in_earlier` says whether an operation of one list is nested in one of a list before it.
    """
    if not parts:
        return UNKNOWN
    if len(parts) == 1:
        is_open = parts[0].newness is Certainty.POSSIBLY
        return parts[0] if is_open else parts[0]._replace(newness=Certainty.POSSIBLY)
    several = any(part.multiplicity is Multiplicity.SEVERAL for part in parts)
    origins = {part.origin for part in parts}
    return PayloadFacts(
        _all_names(parts),
        Multiplicity.SEVERAL if several else Multiplicity.ANY,
        all_repetitions(shared, [part.repetition for part in parts]),
        Certainty.POSSIBLY,
        any_of((is_in_earlier, *(part.outer_first for part in parts))),
        origin=origins.pop() if len(origins) == 1 else Origin.KNOWN,
    )


def again_and_again(once: PayloadFacts, shared: Repetition, *, comes_back: bool) -> PayloadFacts:
    """Return what is known of lists of the same making, one behind the other, of each of which the same is known.

    It is more than one list where something `comes_back`. `shared` is as for `union`; none of one list is nested in
    one of another.
    """
    several = union((once, once), shared, Certainty.NEVER)._replace(newness=once.newness)
    return several if comes_back else once.join(several)


def _all_names(several: Sequence[PayloadFacts]) -> frozenset[str] | None:
    """Return the names that operations of all have; None if these are not known, or too many."""
    found: set[str] = set()
    for alternative in several:
        if alternative.names is None:
            return None
        found |= alternative.names
    return frozenset(found) if len(found) <= _MOST_NAMES else None
