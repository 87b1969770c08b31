"""Reconstructs the steps of a run from the points that it passed."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tdls.interpreter.observing.execution_trace import RegionExecutions, control_flow_of
from tdls.interpreter.observing.instrumented import place_at
from tdls.interpreter.observing.next_operations import next_operations_of
from tdls.interpreter.runs.model import UNFINISHED, Times
from tdls.structs import Struct, replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.observing.next_operations import NextOperation
    from tdls.interpreter.observing.points import Point
    from tdls.interpreter.observing.records import Passing
    from tdls.interpreter.runs.model import RunResult

_LOOP = "transform.foreach"


class StepEnd(Enum):
    """The end of a step: the operation succeeded, failed, or did not return."""

    COMPLETED = "completed"
    SUPPRESSED = "suppressed"
    """It failed, and the operation around it continued as if it had succeeded without results."""
    ABANDONED = "abandoned"
    """It failed, or an operation in it did, and an enclosing operation continued."""
    BROKE_PAYLOAD = "broke-payload"
    """It left payload that MLIR rejects after the run."""
    UNFINISHED = "unfinished"
    """The run ended in it."""


class Step(Struct, eq=False):
    """One execution of an operation of a script. Steps count from 1, in the order in which they began.

    `start` and `end` are the offsets (code points) of the operation's name in the user's text of the file `file`.
    """

    number: int
    operation: str
    file: str
    start: int
    end: int
    point: int
    """Number of the point before the operation."""
    before: int
    """The passing whose state the step began with."""
    parent: Step | None
    """The step that executed the operation's region."""
    region: int
    """Number of that region in the parent, 0-based, in the order of first executions."""
    iteration: int
    """Number of executions of that region in the parent's step, including this one."""
    execution: int
    """Number of executions of the operation, including this one."""
    after: int | None = None
    """The passing whose state it ended with, or None if it did not complete."""
    ended: StepEnd = StepEnd.UNFINISHED
    reason: str = ""
    """MLIR's message on a suppressed failure, or on a broken payload; "" if it is not known."""
    began: float | None = None
    """Seconds from the beginning of the run, without the time for recording, or None if not measured."""
    seconds: float | None = None
    """Duration without the time for recording, or None if not measured or not completed."""
    inner: int = 0
    """Number of steps that began in it."""

    @property
    def path(self) -> tuple[Step, ...]:
        """The enclosing steps, outermost first."""
        steps: list[Step] = []
        step = self.parent
        while step is not None:
            steps.append(step)
            step = step.parent
        return tuple(reversed(steps))

    @property
    def depth(self) -> int:
        """Number of enclosing steps."""
        return len(self.path)


def steps_of_run(
    points: Sequence[Point], next_operations: Sequence[NextOperation | None], passings: Sequence[Passing]
) -> tuple[Step, ...]:
    """Return the steps of a run with these `passings`."""
    reader = _StepReader(points, next_operations, passings)
    for number in range(len(passings)):
        reader.read(number)
    reader.finish()
    return tuple(reader.steps)


def with_executing(result: RunResult, points: Sequence[Point], passings: Sequence[Passing]) -> RunResult:
    """Return the result of a run with these `passings`, if it is unfinished with the operations in execution."""
    if result.status not in UNFINISHED:
        return result
    places, times = [], []
    for step in reversed(steps_of_run(points, next_operations_of(points, is_end_unknown=True), passings)):
        if step.ended is StepEnd.UNFINISHED:
            script, owner = points[step.point].script, points[step.point].owner
            is_in_loop = script.text.startswith((_LOOP, f'"{_LOOP}"'), owner)
            places.append(place_at(script, step.start))
            times.append(Times(step.execution, step.iteration if is_in_loop else 0))
    return replace(result, executing=tuple(places), times=tuple(times))


class _Inside(Struct, eq=False):
    """The execution of a region: its parent step, its number and iteration, and the present step in it."""

    parent: Step | None
    region: int
    iteration: int
    current: Step | None = None


class _StepReader:
    def __init__(
        self, points: Sequence[Point], next_operations: Sequence[NextOperation | None], passings: Sequence[Passing]
    ) -> None:
        self.steps: list[Step] = []
        self._points = points
        self._next_operations = next_operations
        self._passings = passings
        self._executing: RegionExecutions[_Inside] = RegionExecutions(control_flow_of(points), self._inside)
        self._entered: dict[Step | None, dict[int, int]] = {}
        """Number of executions of each region in each step."""
        self._executions: dict[int, int] = {}
        self._recording_seconds = [0.0]
        """Cumulative seconds of recording before each passing."""

    def read(self, number: int) -> None:
        """Process passing `number`, the successor of the previous one."""
        passing = self._passings[number]
        self._recording_seconds.append(self._recording_seconds[-1] + (passing.left or 0.0) - (passing.entered or 0.0))
        point = self._points[passing.point]
        inside = self._executing.pass_point(passing.point).content
        current, inside.current = inside.current, None
        if current is not None:
            self._complete(current, number)
        next_operation = self._next_operations[passing.point]
        if next_operation is not None:
            inside.current = self._begin(next_operation, point, passing.point, number, inside)

    def finish(self) -> None:
        """Distinguish the steps in which the run ended from those abandoned before."""
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

    def _begin(self, next_operation: NextOperation, point: Point, number: int, before: int, inside: _Inside) -> Step:
        execution = self._executions[number] = self._executions.get(number, 0) + 1
        start = point.script.original_offset(point.following)
        step = Step(
            number=len(self.steps) + 1,
            operation=next_operation.name,
            file=point.script.name,
            start=start,
            end=start + next_operation.length,
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
        """Return the time of a passing without the time for recording."""
        left, first = self._passings[passing].left, self._passings[0].entered
        return None if left is None or first is None else left - first - self._recording_seconds[passing + 1]

    def _complete(self, step: Step, number: int) -> None:
        step.after = number
        step.ended = StepEnd.COMPLETED
        ended = self._time(number)
        if step.began is not None and ended is not None:
            step.seconds = max(0.0, ended - step.began)
