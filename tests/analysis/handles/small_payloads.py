"""Small payloads, lists of their operations, and the truth of facts about these lists."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from hypothesis import strategies as st

from tdls.analysis.handles.contents import Certainty, Contents, Origin

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")
NAMES = "abc"
MOST = 5


class Payload(NamedTuple):
    """A forest of operations: the operation around each, which has a lower number, or None; and their names."""

    around: tuple[int | None, ...]
    names: tuple[str, ...]
    new: frozenset[int] = frozenset()
    """Those that were just made, each with all that is in it."""

    def is_in(self, inner: int, outer: int) -> bool:
        """Whether an operation is nested in another one."""
        above = self.around[inner]
        return above is not None and (above == outer or self.is_in(above, outer))

    def within(self, operation: int) -> list[int]:
        """Return an operation and all that is nested in it, from inside to outside."""
        return [
            nested
            for nested in reversed(range(len(self.around)))
            if nested == operation or self.is_in(nested, operation)
        ]


class Held(NamedTuple):
    """The operations of a payload that a handle holds."""

    payload: Payload
    operations: tuple[int, ...]


class Truth(NamedTuple):
    """All values of facts that are true of something that is held."""

    names: frozenset[str]
    several: frozenset[Certainty]
    repetition: frozenset[Certainty]
    nesting: frozenset[Certainty]
    outer_first: frozenset[Certainty]
    newness: frozenset[Certainty]
    origin: frozenset[Origin]


def certainty(is_so: bool, is_not: bool | None = None) -> frozenset[Certainty]:
    """Return the certainties that hold for a property: it holds, it does not, or neither."""
    is_not = not is_so if is_not is None else is_not
    certain = [Certainty.CERTAINLY] * is_so + [Certainty.NEVER] * is_not
    return frozenset((Certainty.POSSIBLY, *certain))


def repetition(operations: Iterable[int]) -> frozenset[Certainty]:
    """Return the certainties of repetition that hold for a list."""
    counts = Counter(operations).values()
    if max(counts) == 1:
        return frozenset({Certainty.POSSIBLY, Certainty.NEVER})
    each = {Certainty.EACH} if min(counts) > 1 else set()
    return frozenset({Certainty.POSSIBLY, Certainty.CERTAINLY, *each})


def truth_of(held: Held) -> Truth:
    """Return the facts that hold for a list of operations."""
    payload, operations = held
    pairs = list(combinations(operations, 2))
    inside = {nested for operation in operations for nested in payload.within(operation)}
    is_root = set(operations) == {0} and len(payload.within(0)) == len(payload.around)
    return Truth(
        frozenset(payload.names[operation] for operation in operations),
        certainty(len(set(operations)) > 1, len(operations) == 1),
        repetition(operations),
        certainty(any(payload.is_in(*pair) or payload.is_in(*reversed(pair)) for pair in pairs)),
        certainty(any(payload.is_in(later, earlier) for earlier, later in pairs)),
        certainty(inside <= payload.new, payload.new.isdisjoint(operations)),
        frozenset({Origin.KNOWN, Origin.UNKNOWN, *([Origin.ROOT] if is_root else [])}),
    )


def is_true(facts: Contents, held: Held) -> bool:
    """Whether the facts hold for a list of operations."""
    names, *truth = truth_of(held)
    known, *values = facts
    return (known is None or names <= known) and all(value in true for value, true in zip(values, truth, strict=True))


def says_at_most(weak: Contents, other: Contents) -> bool:
    """Whether facts stand for all that others do, value by value."""
    names = weak.names is None or (other.names is not None and other.names <= weak.names)
    return names and all(value in _WEAKER[old] for value, old in zip(weak[1:], other[1:], strict=True))


_WEAKER: dict[object, frozenset[object]] = {
    **{certainty: frozenset({certainty, Certainty.POSSIBLY}) for certainty in Certainty},
    **{repetition: frozenset({repetition, Certainty.POSSIBLY}) for repetition in Certainty},
    Certainty.EACH: frozenset({Certainty.EACH, Certainty.CERTAINLY, Certainty.POSSIBLY}),
    Origin.ROOT: frozenset(Origin),
    Origin.KNOWN: frozenset({Origin.KNOWN, Origin.UNKNOWN}),
    Origin.UNKNOWN: frozenset({Origin.UNKNOWN}),
}
"""The values that say no more than a value does."""


def subsets(values: Iterable[T]) -> list[frozenset[T]]:
    """Return all sets of values, the empty one first."""
    members = sorted(values, key=str)
    return [frozenset(chosen) for size in range(len(members) + 1) for chosen in combinations(members, size)]


@cache
def choice(values: frozenset[T]) -> st.SearchStrategy[T]:
    """Draw a value of a set; the same strategy for the same set, since Hypothesis looks at each new one anew."""
    return st.sampled_from(sorted(values, key=str))


SIZES = range(1, MOST + 1)
SIZE = st.integers(1, MOST)
NAME = st.sampled_from(NAMES)
NAME_SETS = st.sampled_from(subsets(NAMES))
MORE_NAMES = st.none() | NAME_SETS
"""Additional names, or None if the names are not known."""
PLACES = [st.sampled_from([None, *range(number)]) for number in range(MOST)]
"""The parent of the operation of each number."""
OPERATION_SETS = {size: st.sampled_from(subsets(range(size))) for size in SIZES}
OPERATION_LISTS = {size: st.lists(st.integers(0, size - 1), min_size=1, max_size=4).map(tuple) for size in SIZES}


@st.composite
def payloads(draw: st.DrawFn) -> Payload:
    size = draw(SIZE)
    around = tuple(draw(place) for place in PLACES[:size])
    payload = Payload(around, tuple(draw(NAME) for _ in range(size)))
    made = draw(OPERATION_SETS[size])
    return payload._replace(new=frozenset(nested for operation in made for nested in payload.within(operation)))


@st.composite
def lists_in(draw: st.DrawFn, payload: Payload) -> Held:
    """Draw a list of operations for a handle."""
    return Held(payload, draw(OPERATION_LISTS[len(payload.around)]))


PAYLOADS = payloads()


HELD = PAYLOADS.flatmap(lambda payload: OPERATION_LISTS[len(payload.around)].map(lambda held: Held(payload, held)))


@st.composite
def facts_about(draw: st.DrawFn, held: Held) -> Contents:
    """Draw facts that hold for a list of operations."""
    names, *truth = truth_of(held)
    others = draw(MORE_NAMES)
    values: Any = [draw(choice(true)) for true in truth]
    return Contents(None if others is None else names | others, *values)


@st.composite
def weaker(draw: st.DrawFn, facts: Contents) -> Contents:
    """Draw facts that say no more than others."""
    others = None if facts.names is None else draw(MORE_NAMES)
    values: Any = [draw(choice(_WEAKER[value])) for value in facts[1:]]
    return Contents(None if others is None else (facts.names or frozenset()) | others, *values)
