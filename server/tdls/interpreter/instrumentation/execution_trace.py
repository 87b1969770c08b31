"""Which operation is being executed, by the points that the interpreter passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.interpreter.instrumentation.points import Point


class Bend(NamedTuple):
    """What a trail has to know of a point: a number for its region, and whether it is the first or last one there.

    `outside` is the point before the operation that the region belongs to, None if that is called from anywhere.
    """

    region: int
    is_first: bool
    is_last: bool
    outside: int | None


def bends_of(points: Sequence[Point]) -> list[Bend]:
    """Return the bends of `points`."""
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
    """The way through the points of a script.

    Behind the last point of a region the operation goes on that had the region executed, by holding it or by calling
    the sequence that it belongs to.
    """

    def __init__(self, bends: Iterable[Bend]) -> None:
        """`bends` are those of all points, by number."""
        self._bends = list(bends)
        self._inside: list[tuple[int, int | None]] = []
        """The regions that are being executed, each with the point before the operation that has it done."""
        self._iterations: dict[int, int] = {}
        """How often each region was executed since the operation that it belongs to was begun."""
        self._held: dict[int, list[int]] = {}
        """The regions of the operation behind each point."""
        for bend in self._bends:
            if bend.is_first and bend.outside is not None:
                self._held.setdefault(bend.outside, []).append(bend.region)

    def passed(self, point: int, before: int | None) -> int | None:
        """Return the point behind which the operation stands that is executed once `point` was passed.

        `before` is what was returned for the point before that; None stands for no operation of the script.
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
        """Return which time the region that a point is in is being executed by its operation; 0 if it was called."""
        return self._iterations.get(self._bends[point].region, 0)

    @property
    def around(self) -> list[int]:
        """The points behind which the operations stand that had done what is being executed, innermost first."""
        return [before for _, before in reversed(self._inside) if before is not None]

    def _come_back(self, region: int) -> None:
        """Forget the regions inside of `region`: where something fails and is silenced, their last points are not
        passed.
        """
        while self._inside and self._inside[-1][0] != region:
            self._inside.pop()
