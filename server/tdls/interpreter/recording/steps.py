"""The steps of a recorded run, by the points that it passed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from tdls.interpreter.instrumentation.execution_trace import bends_of
from tdls.interpreter.recording.records import RegionExecutions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.instrumentation.points import Point
    from tdls.interpreter.recording.following import Following
    from tdls.interpreter.recording.records import Passing


class StepEnd(Enum):
    """How a step ended."""

    COMPLETED = "completed"
    ABANDONED = "abandoned"
    """It failed, or something in it did, and what is around it went on."""
    UNFINISHED = "unfinished"
    """The run ended in it."""


@dataclass(eq=False, slots=True)
class Step:
    """One execution of an operation of a script. Steps are numbered from 1, in the order in which they began.

    `start` and `end` are the offsets (code points) of the operation's name in the text that people wrote in the file
    called `file`.
    """

    number: int
    operation: str
    file: str
    start: int
    end: int
    point: int
    """The point in front of the operation."""
    before: int
    """The passing whose state the step began with."""
    parent: Step | None
    """The step that had the region executed that the operation is in."""
    region: int
    """Which region of the parent that is, from 0 in the order in which they were first executed."""
    iteration: int
    """How often that region was executed in the parent's step, this time included."""
    execution: int
    """How often the operation was executed, this time included."""
    after: int | None = None
    """The passing whose state it ended with; None where it did not complete."""
    ended: StepEnd = StepEnd.UNFINISHED
    began: float | None = None
    """Seconds from the beginning of the run, without those that it took to tell; None where nobody saw a clock."""
    seconds: float | None = None
    """How long it took, without the time that it took to tell; None where that was not measured or there is no end."""
    inner: int = 0
    """How many steps began in it."""

    @property
    def path(self) -> tuple[Step, ...]:
        """The steps that it is in, outermost first."""
        found: list[Step] = []
        step = self.parent
        while step is not None:
            found.append(step)
            step = step.parent
        return tuple(reversed(found))

    @property
    def depth(self) -> int:
        """How many steps it is in."""
        return len(self.path)


def steps_of_run(
    points: Sequence[Point], followings: Sequence[Following | None], passings: Sequence[Passing]
) -> tuple[Step, ...]:
    """Return the steps of a run that had these `passings`."""
    reader = _StepReader(points, followings, passings)
    for number in range(len(passings)):
        reader.read(number)
    reader.finish()
    return tuple(reader.steps)


@dataclass(eq=False, slots=True)
class _Inside:
    """The execution of a region: what had it executed, which time, and what is executed in it now."""

    parent: Step | None
    region: int
    iteration: int
    current: Step | None = None


class _StepReader:
    def __init__(
        self, points: Sequence[Point], followings: Sequence[Following | None], passings: Sequence[Passing]
    ) -> None:
        self.steps: list[Step] = []
        self._points = points
        self._followings = followings
        self._passings = passings
        self._executing: RegionExecutions[_Inside] = RegionExecutions(bends_of(points), self._inside)
        self._entered: dict[Step | None, dict[int, int]] = {}
        """How often each region was executed in each step."""
        self._executions: dict[int, int] = {}
        self._telling = [0.0]
        """The time that it took to tell at all passings before each."""

    def read(self, number: int) -> None:
        """Read passing `number`, the one behind the one that was read before."""
        passing = self._passings[number]
        self._telling.append(self._telling[-1] + (passing.left or 0.0) - (passing.entered or 0.0))
        point = self._points[passing.point]
        inside = self._executing.pass_point(passing.point).content
        current, inside.current = inside.current, None
        if current is not None:
            self._complete(current, number)
        following = self._followings[passing.point]
        if following is not None:
            inside.current = self._begin(following, point, passing.point, number, inside)

    def finish(self) -> None:
        """Tell steps in which the run ended from those that were given up before."""
        unfinished = {execution.content.current for execution in self._executing}
        for step in self.steps:
            if step.after is None and step not in unfinished:
                step.ended = StepEnd.ABANDONED

    def _inside(self, region: int) -> _Inside:
        executions = list(self._executing)
        parent = executions[-1].content.current if executions else None
        entered = self._entered.setdefault(parent, {})
        entered[region] = entered.get(region, 0) + 1
        return _Inside(parent, list(entered).index(region), entered[region])

    def _begin(self, following: Following, point: Point, number: int, before: int, inside: _Inside) -> Step:
        execution = self._executions[number] = self._executions.get(number, 0) + 1
        start = point.script.original_offset(point.following)
        step = Step(
            number=len(self.steps) + 1,
            operation=following.name,
            file=point.script.name,
            start=start,
            end=start + following.length,
            point=number,
            before=before,
            parent=inside.parent,
            region=inside.region,
            iteration=inside.iteration,
            execution=execution,
            began=self._time(before),
        )
        self.steps.append(step)
        for around in step.path:
            around.inner += 1
        return step

    def _time(self, passing: int) -> float | None:
        """Return when what is told at a passing was told, as if that took no time."""
        left, first = self._passings[passing].left, self._passings[0].entered
        return None if left is None or first is None else left - first - self._telling[passing + 1]

    def _complete(self, step: Step, number: int) -> None:
        step.after = number
        step.ended = StepEnd.COMPLETED
        ended = self._time(number)
        if step.began is not None and ended is not None:
            step.seconds = max(0.0, ended - step.began)
