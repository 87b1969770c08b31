"""The regions of scripts that are being executed, one in the other, by the points that the interpreter passes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.interpreter.observation.trail import Bend

_T = TypeVar("_T")


@dataclass(eq=False, slots=True)
class RegionExecution(Generic[_T]):
    """One execution of a region, with whatever somebody keeps for it."""

    region: int
    is_called: bool
    """True if the region is that of a sequence, from which nothing outside can be named."""
    content: _T
    is_done: bool = False
    """True once its last point was passed."""


class RegionExecutions(Generic[_T]):
    """The executions, outermost first."""

    def __init__(self, bends: Sequence[Bend], make: Callable[[int], _T]) -> None:
        """`bends` are those of all points, by number; `make` is called with a region that begins to be executed.

        Meanwhile the executions are those that it is executed in.
        """
        self._bends = bends
        self._make = make
        self._executing: list[RegionExecution[_T]] = []

    def pass_point(self, point: int) -> RegionExecution[_T]:
        """Note that `point` is passed, and return the execution that it is in."""
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
        """Yield the executions whose handles can be named in the innermost one, which comes first."""
        for execution in reversed(self._executing):
            yield execution
            if execution.is_called:
                return

    def _come_back(self, region: int) -> None:
        """Leave the regions inside of `region`: where something fails and is silenced, their last points are not
        passed.
        """
        while self._executing and self._executing[-1].region != region:
            self._executing.pop()
