"""Determines the operation and the regions that are being executed from the points that the interpreter passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from tdls.structs import NamedTuple, Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tdls.interpreter.observing.points import Point


class Bend(NamedTuple):
    """The control-flow data of a point: the number of its region, and whether it is the first or last point there.

    `outside` is the point before the operation that owns the region, None if the region is called from anywhere.
    """

    region: int
    is_first: bool
    is_last: bool
    outside: int | None


def bends_of(points: Sequence[Point]) -> list[Bend]:
    """Return the control-flow data of `points`, which are those of all scripts of a request."""
    regions: dict[tuple[str, int], int] = {}
    before: dict[tuple[str, int], int] = {}
    bends: list[Bend] = []
    for number, point in enumerate(points):
        name = point.script.name
        region = regions.setdefault((name, point.region.start), len(regions))
        outside = before.get((name, point.owner))
        bends.append(Bend(region, point.behind is None, point.is_last, outside))
        before.setdefault((name, point.following), number)
    return bends


class ExecutionTrace:
    """The stack of regions in execution while the interpreter passes the points of a script.

    After the last point of a region the interpreter continues behind the operation that executed the region, as its
    owner or by calling the sequence that it belongs to.
    """

    def __init__(self, bends: Iterable[Bend]) -> None:
        """`bends` are the control-flow data of all points, by number."""
        self._bends = list(bends)
        self._inside: list[tuple[int, int | None]] = []
        """The regions in execution, each with the point before the operation that executes it."""
        self._iterations: dict[int, int] = {}
        """Number of executions of each region since its owner was last begun."""
        self._held: dict[int, list[int]] = {}
        """The regions of the operation behind each point."""
        for bend in self._bends:
            if bend.is_first and bend.outside is not None:
                self._held.setdefault(bend.outside, []).append(bend.region)

    def passed(self, point: int, before: int | None) -> int | None:
        """Return the point before the operation that is executed after `point` was passed.

        `before` is the previous result; None stands for no operation of the script.
        """
        bend = self._bends[point]
        for region in self._held.get(point, ()):
            self._iterations[region] = 0
        if bend.is_first:
            if bend.outside is not None:
                self._iterations[bend.region] += 1
                self._come_back(self._bends[bend.outside].region)
                before = bend.outside
            self._inside.append((bend.region, before))
        else:
            self._come_back(bend.region)
        return self._inside.pop()[1] if bend.is_last and self._inside else point

    def iteration(self, point: int) -> int:
        """Return the number of the present execution of a point's region by its owner, from 1; 0 if the region was
        called.
        """
        return self._iterations.get(self._bends[point].region, 0)

    @property
    def around(self) -> list[int]:
        """The points before the operations that enclose or called the executing one, innermost first."""
        return [before for _, before in reversed(self._inside) if before is not None]

    def _come_back(self, region: int) -> None:
        """Leave the regions inside `region`: after a silenced failure, their last points are not passed."""
        while self._inside and self._inside[-1][0] != region:
            self._inside.pop()


_T = TypeVar("_T")


class RegionExecution(Struct, Generic[_T], eq=False):
    """One execution of a region, with the data that the caller attaches to it."""

    region: int
    is_called: bool
    """True if the region belongs to a called sequence, from which no outer handles are in scope."""
    content: _T
    is_done: bool = False
    """True once its last point was passed."""


class RegionExecutions(Generic[_T]):
    """The stack of region executions, outermost first."""

    def __init__(self, bends: Sequence[Bend], make: Callable[[int], _T]) -> None:
        """`bends` are the control-flow data of all points; `make` returns the data of a region that begins to execute.

        During that call the stack has the outer executions.
        """
        self._bends = bends
        self._make = make
        self._executing: list[RegionExecution[_T]] = []

    def pass_point(self, point: int) -> RegionExecution[_T]:
        """Record that `point` is passed, and return the execution that contains it."""
        while self._executing and self._executing[-1].is_done:
            self._executing.pop()
        bend = self._bends[point]
        if not bend.is_first:
            self._come_back(bend.region)
        elif bend.outside is not None:
            self._come_back(self._bends[bend.outside].region)
        if bend.is_first or not self._executing:
            execution = RegionExecution(bend.region, bend.outside is None, self._make(bend.region))
            self._executing.append(execution)
        self._executing[-1].is_done = bend.is_last
        return self._executing[-1]

    def __iter__(self) -> Iterator[RegionExecution[_T]]:
        return iter(self._executing)

    def innermost(self) -> Iterator[RegionExecution[_T]]:
        """Yield the executions whose handles are in scope, innermost first."""
        for execution in reversed(self._executing):
            yield execution
            if execution.is_called:
                return

    def _come_back(self, region: int) -> None:
        """Leave the regions inside `region`: after a silenced failure, their last points are not passed."""
        while self._executing and self._executing[-1].region != region:
            self._executing.pop()
