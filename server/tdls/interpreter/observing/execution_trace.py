"""Determines the regions that are being executed from the points that the interpreter passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from tdls.structs import NamedTuple, Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.interpreter.observing.points import Point


class ControlFlow(NamedTuple):
    """The control-flow data of a point: the number of its region, and whether it is the first or last point there.

    `outside` is the point before the operation that owns the region, None if the region is called from anywhere.
    """

    region: int
    is_first: bool
    is_last: bool
    outside: int | None


def control_flow_of(points: Sequence[Point]) -> list[ControlFlow]:
    """Return the control-flow data of `points`, which are those of all scripts of a request."""
    regions: dict[tuple[str, int], int] = {}
    before: dict[tuple[str, int], int] = {}
    flows: list[ControlFlow] = []
    for number, point in enumerate(points):
        name = point.script.name
        region = regions.setdefault((name, point.region.start), len(regions))
        outside = before.get((name, point.owner))
        flows.append(ControlFlow(region, point.behind is None, point.is_last, outside))
        before.setdefault((name, point.following), number)
    return flows


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

    def __init__(self, flows: Sequence[ControlFlow], make: Callable[[int], _T]) -> None:
        """`flows` are the control-flow data of all points; `make` returns the data of a region that begins to execute.

        During that call the stack has the outer executions.
        """
        self._flows = flows
        self._make = make
        self._executing: list[RegionExecution[_T]] = []

    def pass_point(self, point: int) -> RegionExecution[_T]:
        """Record that `point` is passed, and return the execution that contains it."""
        while self._executing and self._executing[-1].is_done:
            self._executing.pop()
        flow = self._flows[point]
        if not flow.is_first:
            self._come_back(flow.region)
        elif flow.outside is not None:
            self._come_back(self._flows[flow.outside].region)
        if flow.is_first or not self._executing:
            execution = RegionExecution(flow.region, flow.outside is None, self._make(flow.region))
            self._executing.append(execution)
        self._executing[-1].is_done = flow.is_last
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
