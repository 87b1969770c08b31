"""Facts about the list of payload operations that a handle holds, apart from relations to other handles.

A handle holds a list of operations, which is not empty. Facts represent all lists of which they are true. They are
immutable: each operation on them returns new facts, true of every list that the same step makes of a list of which the
old facts are true. Weaker facts represent more lists; operations are monotonic: weaker input gives no stronger output.

Properties that there is no reason to suspect are `NEVER`; the code that creates facts decides that.
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
"""Maximum number of names to track; with more, the names are unknown."""


class PayloadFacts(NamedTuple):
    """Facts about a list of payload operations."""

    names: frozenset[str] | None = None
    """The possible names of the operations; None if unknown."""
    multiplicity: Multiplicity = Multiplicity.ANY
    repetition: Repetition = Repetition.NEVER
    nesting: Certainty = Certainty.POSSIBLY
    """Whether one of them is nested in another one."""
    outer_first: Certainty = Certainty.NEVER
    """Whether one of them stands before another one that is nested in it."""
    newness: Certainty = Certainty.POSSIBLY
    """Whether the operations, and all operations in them, were created together with their set."""
    origin: Origin = Origin.KNOWN

    @property
    def is_flat(self) -> bool:
        """True if none of them is nested in another one."""
        return self.nesting is Certainty.NEVER

    @property
    def is_new(self) -> bool:
        """True if the operations, and all operations in them, were created together with their set."""
        return self.newness is Certainty.CERTAINLY

    @property
    def is_root(self) -> bool:
        """True if the list is the payload root."""
        return self.origin is Origin.ROOT

    @property
    def is_unknown(self) -> bool:
        """True if the origin of the operations is unknown."""
        return self.origin is Origin.UNKNOWN

    # Facts of a list that is derived from this one

    def named(self, names: frozenset[str] | None) -> PayloadFacts:
        """Return these facts with other `names`."""
        return self if names == self.names else PayloadFacts(names, *self[1:])

    def part(self) -> PayloadFacts:
        """Return the facts of a sublist, in the same order."""
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
        """Return the facts of all elements with one of `names`, repeated as in the list."""
        part = self.part().named(names if names is not None else self.names)
        return part._replace(repetition=self.repetition) if self.repetition is Repetition.EACH else part

    def element(self) -> PayloadFacts:
        """Return the facts of a single element."""
        return one_operation(self.names, self._origin_of_others())

    def deduplicated(self) -> PayloadFacts:
        """Return the facts after removal of all but the first of equal elements."""
        if self.repetition is Repetition.NEVER:
            return self
        order = self.outer_first if self.outer_first is Certainty.NEVER else Certainty.POSSIBLY
        return self._replace(repetition=Repetition.NEVER, outer_first=order)

    def copied(self, times: Multiplicity) -> PayloadFacts:
        """Return the facts of the list concatenated with itself, `times` in total."""
        if times is Multiplicity.ONE:
            return self
        return self._replace(
            multiplicity=self.multiplicity if self.multiplicity is Multiplicity.SEVERAL else Multiplicity.ANY,
            repetition=Repetition.EACH if times is Multiplicity.SEVERAL else more_often(self.repetition),
            outer_first=self.outer_first if self.is_flat else any_of((self.outer_first, Certainty.POSSIBLY)),
            origin=self._origin_of_others(),
        )

    def replaced(self) -> PayloadFacts:
        """Return the facts of new operations, one in place of each old one, with any names.

        The replacement fails for a list with an operation twice, or before one that is nested in it.
        """
        return PayloadFacts(
            multiplicity=self.multiplicity,
            nesting=self.nesting,
            newness=Certainty.CERTAINLY,
            origin=self._origin_of_others(),
        )

    def in_parts(self) -> PayloadFacts:
        """Return the facts if each element may be replaced by several operations, not nested in each other."""
        is_several = self.multiplicity is Multiplicity.SEVERAL
        return self._replace(
            multiplicity=Multiplicity.SEVERAL if is_several else Multiplicity.ANY, origin=self._origin_of_others()
        )

    def nests(self, deep: Certainty) -> PayloadFacts:
        """Return the facts if each element is replaced by a nest of operations, listed from outside to inside.

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
        """Return the facts of operations found in each element of `outer` in turn, from inside to outside.

        `is_in_another` says whether an element of `outer` is nested in another one. Names and nesting are kept.
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
        """Return the facts of operations around those of `inner`, one for each.

        `repetition` and `outer_first` apply to a list with more than one element. Names and nesting are kept.
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
        """Return the origin of derived operations: `UNKNOWN` if this one is, else `KNOWN`, never `ROOT`."""
        return Origin.UNKNOWN if self.is_unknown else Origin.KNOWN

    # Join

    def join(self, other: PayloadFacts) -> PayloadFacts:
        """Return the facts of a list of which the facts in `self` or in `other` are true."""
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
"""Default facts of operations of known origin."""
UNKNOWN = PayloadFacts(origin=Origin.UNKNOWN)
"""Facts of operations of unknown origin, about which nothing is reported."""


def one_operation(names: frozenset[str] | None, origin: Origin = Origin.KNOWN) -> PayloadFacts:
    """Return the facts of a single operation."""
    return PayloadFacts(names, Multiplicity.ONE, nesting=Certainty.NEVER, origin=origin)


def union(parts: Sequence[PayloadFacts], shared: Repetition, is_in_earlier: Certainty) -> PayloadFacts:
    """Return the facts of a concatenation of lists, which may be of different steps.

    `shared` says whether two of the lists have operations in common; `EACH`: each list with another one.
    `is_in_earlier` says whether an operation of one list is nested in one of an earlier list.
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
    """Return the facts of a concatenation of lists by iterations of a loop, each with the facts `once`.

    There are at least two iterations if `comes_back`. `shared` is as for `union`; no operation of one list is nested in
    one of another.
    """
    several = union((once, once), shared, Certainty.NEVER)._replace(newness=once.newness)
    return several if comes_back else once.join(several)


def _all_names(several: Sequence[PayloadFacts]) -> frozenset[str] | None:
    """Return the union of the names; None if some are unknown, or there are too many."""
    found: set[str] = set()
    for alternative in several:
        if alternative.names is None:
            return None
        found |= alternative.names
    return frozenset(found) if len(found) <= _MOST_NAMES else None
