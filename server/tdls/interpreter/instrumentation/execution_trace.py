"""Determines the operation that is being executed from the points that the interpreter passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.interpreter.instrumentation.points import Point


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
        if bend.is_last and self._inside:
            return self._inside.pop()[1]
        return point

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
