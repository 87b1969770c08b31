"""`Contents`: what is known of the list of payload operations that a handle holds, apart from relations to others.

A list is not empty. Contents represent all lists that they describe. They are immutable: each operation on them
returns new contents, which describe every list that the same step makes of a list described by the old ones. Weaker
contents represent more lists; operations are monotonic: weaker input gives no stronger output.

Properties that there is no reason to suspect are `NEVER`; the code that creates contents decides that.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, TypeVar

from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    _Item = TypeVar("_Item", bound=Hashable)

_MOST_NAMES = 200
"""Maximum number of names to track; with more, the names are unknown."""


class Certainty(IntEnum):
    """Whether a property holds. The largest of several is that of their disjunction."""

    NEVER = 0
    POSSIBLY = 1
    CERTAINLY = 2
    EACH = 3
    """Of repetition: each operation is repeated, not just one."""

    def join(self, other: Certainty) -> Certainty:
        """Return the certainty if one of two alternatives holds."""
        if self is other:
            return self
        return Certainty.CERTAINLY if min(self, other) >= Certainty.CERTAINLY else Certainty.POSSIBLY


class Origin(Enum):
    """The origin of the operations in a handle."""

    ROOT = "root"
    """The payload root, to which the script is applied."""
    KNOWN = "known"
    UNKNOWN = "unknown"
    """Nothing is known of them, so that nothing is reported about them."""


class Contents(NamedTuple):
    """What is known of a list of payload operations."""

    names: frozenset[str] | None = None
    """The possible names of the operations, or None if unknown."""
    several: Certainty = Certainty.POSSIBLY
    """Whether there are at least two different ones; never: it is a single one, once."""
    repetition: Certainty = Certainty.NEVER
    """Whether one of them stands in the list more than once."""
    nesting: Certainty = Certainty.POSSIBLY
    """Whether one of them is nested in another one."""
    outer_first: Certainty = Certainty.NEVER
    """Whether one of them stands before another one that is nested in it."""
    newness: Certainty = Certainty.POSSIBLY
    """Whether the operations, and all operations in them, were created together with their set."""
    origin: Origin = Origin.KNOWN

    @property
    def is_one(self) -> bool:
        """True if it is a single operation, once."""
        return self.several is Certainty.NEVER

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

    # Contents of a list that is derived from this one

    def named(self, names: frozenset[str] | None) -> Contents:
        """Return these contents with other `names`."""
        return self if names == self.names else Contents(names, *self[1:])

    def part(self) -> Contents:
        """Return the contents of a sublist, in the same order."""
        return Contents(
            self.names,
            min(self.several, Certainty.POSSIBLY),
            min(self.repetition, Certainty.POSSIBLY),
            self.nesting if self.is_flat else Certainty.POSSIBLY,
            min(self.outer_first, Certainty.POSSIBLY),
            self.newness,
            self._origin_of_others(),
        )

    def selected(self, names: frozenset[str] | None) -> Contents:
        """Return the contents of all elements with one of `names`, repeated as in the list."""
        part = self.part().named(names if names is not None else self.names)
        return part._replace(repetition=self.repetition) if self.repetition is Certainty.EACH else part

    def element(self) -> Contents:
        """Return the contents of a single element."""
        return one_operation(self.names, self._origin_of_others())

    def deduplicated(self) -> Contents:
        """Return the contents after removal of all but the first of equal elements."""
        if self.repetition is Certainty.NEVER:
            return self
        return self._replace(repetition=Certainty.NEVER, outer_first=min(self.outer_first, Certainty.POSSIBLY))

    def copied(self, repeats: Certainty) -> Contents:
        """Return the contents of the list concatenated with itself; `repeats` says whether that happens."""
        if repeats is Certainty.NEVER:
            return self
        return self._replace(
            several=max(self.several, Certainty.POSSIBLY),
            repetition=Certainty.EACH if repeats is Certainty.CERTAINLY else max(self.repetition, Certainty.POSSIBLY),
            outer_first=self.outer_first if self.is_flat else max(self.outer_first, Certainty.POSSIBLY),
            origin=self._origin_of_others(),
        )

    def replaced(self) -> Contents:
        """Return the contents of new operations, one in place of each old one, with any names.

        The replacement fails for a list with an operation twice, or before one that is nested in it.
        """
        return Contents(
            several=self.several,
            nesting=self.nesting,
            newness=Certainty.CERTAINLY,
            origin=self._origin_of_others(),
        )

    def in_parts(self) -> Contents:
        """Return the contents if each element may be replaced by several operations, not nested in each other."""
        return self._replace(several=max(self.several, Certainty.POSSIBLY), origin=self._origin_of_others())

    def nests(self, deep: Certainty) -> Contents:
        """Return the contents if each element is replaced by a nest of operations, listed from outside to inside.

        `deep` says whether nests have more than one operation.
        """
        if deep is Certainty.NEVER:
            return self
        return self._replace(
            several=max(self.several, Certainty.POSSIBLY),
            nesting=max(self.nesting, deep),
            outer_first=max(self.outer_first, deep),
            origin=self._origin_of_others(),
        )

    def found_in(self, outer: Contents, is_in_another: Certainty) -> Contents:
        """Return the contents of operations found in each element of `outer` in turn, from inside to outside.

        `is_in_another` says whether an element of `outer` is nested in another one. Names and nesting are kept.
        """
        comes_again = outer.repetition is not Certainty.NEVER or is_in_another is not Certainty.NEVER
        repetition = Certainty.POSSIBLY if comes_again else Certainty.NEVER
        return Contents(
            self.names,
            repetition=Certainty.EACH if outer.repetition is Certainty.EACH else repetition,
            nesting=self.nesting,
            outer_first=Certainty.POSSIBLY if comes_again and not self.is_flat else Certainty.NEVER,
        )

    def around(self, inner: Contents, repetition: Certainty, outer_first: Certainty) -> Contents:
        """Return the contents of operations around those of `inner`, one for each.

        `repetition` and `outer_first` apply to a list with more than one element. Names and nesting are kept.
        """
        if inner.is_one:
            return one_operation(self.names, inner._origin_of_others())._replace(nesting=self.nesting)
        return Contents(
            self.names,
            repetition=repetition,
            nesting=self.nesting,
            outer_first=Certainty.NEVER if self.is_flat else outer_first,
            origin=inner._origin_of_others(),
        )

    def _origin_of_others(self) -> Origin:
        """Return the origin of derived operations: `UNKNOWN` if this one is, else `KNOWN`, never `ROOT`."""
        return Origin.UNKNOWN if self.is_unknown else Origin.KNOWN

    # Other lists

    def refined(self, exact: Contents) -> Contents:
        """Return these contents with all that `exact`, the contents on one payload, say more; the origin stays."""
        names = exact.names if self.names is None or exact.names is None else self.names & exact.names or self.names
        return exact._replace(names=names, newness=self.newness, origin=self.origin)

    def join(self, other: Contents) -> Contents:
        """Return contents that describe every list described by `self` or by `other`."""
        origins = {self.origin, other.origin}
        known = self.origin if self.origin is other.origin else Origin.KNOWN
        return Contents(
            _all_names((self, other)),
            self.several.join(other.several),
            self.repetition.join(other.repetition),
            self.nesting.join(other.nesting),
            self.outer_first.join(other.outer_first),
            self.newness.join(other.newness),
            Origin.UNKNOWN if Origin.UNKNOWN in origins else known,
        )


NOTHING_SAID = Contents()
"""Default contents of operations of known origin."""
UNKNOWN = Contents(origin=Origin.UNKNOWN)
"""Contents of operations of unknown origin, about which nothing is reported."""


def one_operation(names: frozenset[str] | None, origin: Origin = Origin.KNOWN) -> Contents:
    """Return the contents of a single operation."""
    return Contents(names, Certainty.NEVER, nesting=Certainty.NEVER, origin=origin)


def exactly(
    listed: Sequence[_Item], name: Callable[[_Item], str], around: Callable[[_Item], Iterable[_Item]]
) -> Contents:
    """Return the contents of a list that is not empty, by the names of its operations, and the others around each."""
    counts = Counter(listed)
    before: set[_Item] = set()
    is_nested = is_outer_first = False
    for item in listed:
        outer = set(around(item))
        is_nested = is_nested or not outer.isdisjoint(counts)
        is_outer_first = is_outer_first or not outer.isdisjoint(before)
        before.add(item)
    repetition = Certainty.EACH if min(counts.values()) > 1 else Certainty.CERTAINLY
    several = Certainty.CERTAINLY if len(counts) > 1 else Certainty.POSSIBLY
    return Contents(
        frozenset(map(name, counts)),
        Certainty.NEVER if len(listed) == 1 else several,
        repetition if len(listed) > len(counts) else Certainty.NEVER,
        Certainty.CERTAINLY if is_nested else Certainty.NEVER,
        Certainty.CERTAINLY if is_outer_first else Certainty.NEVER,
    )


def union(parts: Sequence[Contents], shared: Certainty, is_in_earlier: Certainty) -> Contents:
    """Return the contents of a concatenation of lists, which may be of different steps.

    `shared` says whether two of the lists have operations in common; `EACH`: each list with another one.
    `is_in_earlier` says whether an operation of one list is nested in one of an earlier list.
    """
    if not parts:
        return UNKNOWN
    if len(parts) == 1:
        is_open = parts[0].newness is Certainty.POSSIBLY
        return parts[0] if is_open else parts[0]._replace(newness=Certainty.POSSIBLY)
    is_each = shared is Certainty.EACH or all(part.repetition is Certainty.EACH for part in parts)
    repetition = max(shared, *(part.repetition for part in parts))
    origins = {part.origin for part in parts}
    return Contents(
        _all_names(parts),
        max(Certainty.POSSIBLY, *(part.several for part in parts)),
        repetition if is_each else min(repetition, Certainty.CERTAINLY),
        Certainty.POSSIBLY,
        max(is_in_earlier, *(part.outer_first for part in parts)),
        origin=origins.pop() if len(origins) == 1 else Origin.KNOWN,
    )


def again_and_again(once: Contents, shared: Certainty, *, comes_back: bool) -> Contents:
    """Return the contents of a concatenation of lists by iterations of a loop, each with the contents `once`.

    There are at least two iterations if `comes_back`. `shared` is as for `union`; no operation of one list is nested in
    one of another.
    """
    several = union((once, once), shared, Certainty.NEVER)._replace(newness=once.newness)
    return several if comes_back else once.join(several)


def _all_names(several: Sequence[Contents]) -> frozenset[str] | None:
    """Return the union of the names, or None if some are unknown, or there are too many."""
    names: set[str] = set()
    for alternative in several:
        if alternative.names is None:
            return None
        names |= alternative.names
    return frozenset(names) if len(names) <= _MOST_NAMES else None
