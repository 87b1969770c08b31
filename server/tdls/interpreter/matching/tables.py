"""What operations that ask several matchers were told: the operations of the payload by the arms that took them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.interpreter.matching.attempts import Attempt
    from tdls.interpreter.matching.marks import AskingOperation, Marks, MatcherCondition
    from tdls.interpreter.model import Place

MOST_CANDIDATES = 1_000
"""How many operations of the payload are told of one by one in a table."""


class TriedOperation(NamedTuple):
    """An operation of the payload that got beyond the first condition of some matcher."""

    place: Place
    attempts: tuple[Attempt | None, ...]
    """What became of it at each arm; None for arms behind the one that accepted it."""
    accepted: int | None
    """The number of that arm."""


class ArmsTable(NamedTuple):
    """What the arms of an operation did."""

    asking: AskingOperation
    accepted: tuple[int, ...]
    """How many operations each arm accepted, and how many it was asked about."""
    asked: tuple[int, ...]
    candidates: tuple[TriedOperation, ...]
    others: int
    """How many operations failed at the first condition of every arm, or are left out."""

    @property
    def never_asked(self) -> tuple[int, ...]:
        """The arms that were asked about nothing, since others before them accept everything."""
        return tuple(number for number, count in enumerate(self.asked) if not count and any(self.asked))


def tables_of(marks: Marks, attempts: Sequence[Attempt]) -> Iterator[ArmsTable]:
    """Yield a table for each operation that asks, in the order of the scripts; also for those that never did."""
    by_asking: list[list[Attempt]] = [[] for _ in marks.asking]
    for attempt in attempts:
        if attempt.asking is not None:
            by_asking[attempt.asking].append(attempt)
    for asking, own in zip(marks.asking, by_asking, strict=True):
        yield _Filling(asking, marks.conditions).table(own)


class _Filling:
    """Fills the table of one operation."""

    def __init__(self, asking: AskingOperation, conditions: Sequence[MatcherCondition]) -> None:
        self._asking = asking
        self._conditions = conditions
        self._count = len(asking.arms)
        self._accepted = [0] * self._count
        self._asked = [0] * self._count
        self._candidates: list[TriedOperation] = []
        self._rows = 0

    def table(self, attempts: Sequence[Attempt]) -> ArmsTable:
        """Return the table; there are as many attempts for each operation of the payload as it takes to accept it."""
        names = [arm.matcher for arm in self._asking.arms]
        row: list[Attempt] = []
        for attempt in attempts:
            condition = self._conditions[attempt.last]
            if row and (len(row) == self._count or condition.matcher != names[len(row)]):
                self._end(row, is_accepted=False)
                row = []
            row.append(attempt)
            if condition.is_end:
                self._end(row, is_accepted=True)
                row = []
        if row:
            self._end(row, is_accepted=False)
        accepted, asked = tuple(self._accepted), tuple(self._asked)
        left_out = self._rows - len(self._candidates)
        return ArmsTable(self._asking, accepted, asked, tuple(self._candidates), left_out)

    def _end(self, row: list[Attempt], *, is_accepted: bool) -> None:
        self._rows += 1
        for number in range(len(row)):
            self._asked[number] += 1
        self._accepted[len(row) - 1] += is_accepted
        place = next((attempt.candidate for attempt in row if attempt.candidate is not None), None)
        if place is not None and len(self._candidates) < MOST_CANDIDATES:
            padding = (None,) * (self._count - len(row))
            self._candidates.append(TriedOperation(place, (*row, *padding), len(row) - 1 if is_accepted else None))
