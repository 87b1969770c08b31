"""A recorded run, from which any state can be retrieved.

A recording has the points that the run passed, and only the requested states. For other states the run is repeated up
to that passing: runs are deterministic, and a repetition that differs is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.errors import RecordingError
from tdls.interpreter.observing.instrumented import place_at
from tdls.interpreter.observing.points import stop_at
from tdls.interpreter.observing.records import Wanted
from tdls.interpreter.observing.steps import StepEnd, steps_of_run
from tdls.interpreter.recording.changes import changes
from tdls.interpreter.recording.suppressed import mark_suppressed
from tdls.interpreter.runs.model import RunLevel, Status
from tdls.interpreter.until_unknown import up_to_unknown
from tdls.structs import Struct, replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.observing.points import Point
    from tdls.interpreter.observing.records import HandleRecord, Liveness, RunRecord, StateRecord
    from tdls.interpreter.observing.steps import Step
    from tdls.interpreter.recording.changes import TextChanges
    from tdls.interpreter.runs.model import Contents, Place, RunRequest, RunResult
    from tdls.semantic.handle_types import HandleKind

SMALL_PAYLOAD = 100_000
"""Maximum number of code points of a payload for which all states are recorded when users may view some."""
_MOST_BYTES = 64 << 20
"""Maximum size of the compressed texts of states that are kept."""


class HandleState(Struct, frozen=True):
    """A handle in a state.

    `start` and `end` are the offsets (code points) of its name in its definition. `defined` is the step that defines
    it, None for a block argument. `since` is the step that invalidated it, or may have. `contents` are None if unknown,
    and always for a handle that is not live. Unless `is_current`, they date from its definition.
    """

    name: str
    type: str
    kind: HandleKind
    file: str
    start: int
    end: int
    liveness: Liveness
    defined: Step | None
    since: Step | None
    contents: Contents | None
    is_current: bool


class NewHandle(NamedTuple):
    """A result of a step, with its size and the number of items by name, if recorded."""

    name: str
    kind: HandleKind
    contents: Contents | None


class State(Struct, frozen=True):
    """Payload and handles at a passing. `text` is None if it exceeded the size limit."""

    passing: int
    text: str | None
    handles: tuple[HandleState, ...]


class Recording:
    """A recorded run of `request`."""

    def __init__(self, request: RunRequest, record: RunRecord) -> None:
        self.request = request
        self.result: RunResult = record.result
        self._plain_result = record.result
        self.steps: tuple[Step, ...] = steps_of_run(record.points, record.next_operations, record.passings)
        self.passings = record.passings
        self.points = record.points
        self._states: dict[int, StateRecord] = dict(record.states)
        self._beginning = {step.before: step for step in self.steps}
        self._ending = {step.after: step for step in self.steps if step.after is not None}

    def point(self, passing: int) -> Point:
        return self.points[self.passings[passing].point]

    @property
    def failing(self) -> Step | None:
        """The innermost step in which an unsuccessful run ended, or that broke its payload.

        None for other runs, or if it was not recorded.
        """
        if self.result.status is Status.SUCCESS:
            return None
        failing = [step for step in self.steps if step.ended in (StepEnd.UNFINISHED, StepEnd.BROKE_PAYLOAD)]
        return failing[-1] if failing else None

    def mark_broken(self) -> None:
        """Mark the step that broke the payload."""
        if self.result.broke_payload:
            place, execution = self.result.executing[0], self.result.times[0].execution
            message = next(it.message for it in reversed(self.result.diagnostics) if it.level is RunLevel.ERROR)
            for step in self.steps:
                if step.execution == execution and self.place(step) == place:
                    step.ended, step.reason = StepEnd.BROKE_PAYLOAD, message

    def place(self, step: Step) -> Place:
        """Return the position of the operation of `step`."""
        return place_at(self.points[step.point].script, step.start)

    def source(self, step: Step) -> str:
        """Return the text of the file that contains the operation of `step`, as the user wrote it."""
        return self.points[step.point].script.original

    def results(self, step: Step) -> tuple[NewHandle, ...]:
        """Return the handles that `step` defines, once completed."""
        if step.after is None:
            return ()
        passing = self.passings[step.after]
        handles = self.points[passing.point].handles
        return tuple(
            NewHandle(handle.shown, handle.kind, contents)
            for handle, contents in zip(handles, passing.contents, strict=False)
        )

    def change(self, step: Step) -> TextChanges | None:
        """Return the payload changes of `step`, or None unless it was completed and both states are known."""
        if step.after is None:
            return None
        before, after = self.text(step.before), self.text(step.after)
        return None if before is None or after is None else changes(before, after)

    def step_to(self, passing: int | None) -> Step | None:
        """Return the step that led to the state of a passing: one that ended there, or one still in execution."""
        if passing is None:
            return None
        return self._ending.get(passing) or self._beginning.get(passing - 1)

    def text(self, passing: int) -> str | None:
        """Return the payload at a passing, if known."""
        record = self._states.get(passing)
        return None if record is None else record.text

    def known_state(self, passing: int) -> State | None:
        """Return the state of a passing, if known."""
        record = self._states.get(passing)
        if record is None:
            return None
        return State(passing, record.text, tuple(filter(None, map(self._handle, record.handles))))

    def state(self, passing: int, backend: Backend) -> State:
        """Return the state of a passing; if necessary, `backend` repeats the run up to there.

        Raises RecordingError if the repetition fails, BackendError if the backend does not start.
        """
        self.ask([passing], backend)
        known = self.known_state(passing)
        if known is None:
            raise RecordingError("the run did not come there again")
        return known

    def ask(self, passings: Iterable[int], backend: Backend) -> None:
        """Fetch the states of `passings`; if necessary, `backend` repeats the run once. Raises as `state` does."""
        unknown = {number: self.passings[number].point for number in passings if number not in self._states}
        if unknown:
            self._repeat(unknown, backend)

    def _repeat(self, unknown: dict[int, int], backend: Backend) -> None:
        """Repeat the run up to the last passing in `unknown`, which maps passings to points."""
        repeated = backend.record(self.request, Wanted.only(unknown), self._plain_result)
        if not unknown.keys() <= repeated.states.keys():
            raise RecordingError(f"the run did not come there again: {repeated.result.detail or 'it ended before'}")
        count = max(unknown) + 1
        before = [passing.point for passing in self.passings[:count]]
        if before != [passing.point for passing in repeated.passings[:count]]:
            raise RecordingError("the run went another way when it was repeated")
        self._states.update(repeated.states)
        size = sum(len(state.compressed or b"") for state in self._states.values())
        while len(self._states) > len(unknown) and size > _MOST_BYTES:
            size -= len(self._states.pop(next(iter(self._states))).compressed or b"")

    def _handle(self, record: HandleRecord) -> HandleState | None:
        """Return a handle for users, or None for a handle of the instrumentation."""
        point = self.points[record.point]
        handle = point.handles[record.number]
        span = point.script.original_span(handle.span)
        if span.start >= span.end:
            return None
        return HandleState(
            name=handle.shown,
            type=handle.type,
            kind=handle.kind,
            file=point.script.name,
            start=span.start,
            end=span.end,
            liveness=record.liveness,
            defined=self._ending.get(record.defined),
            since=self._beginning.get(record.since) if record.since is not None else None,
            contents=record.contents,
            is_current=record.is_current,
        )


def for_looking_at(request: RunRequest) -> Wanted:
    """Return the recording options with which any state of `request` is available soon."""
    is_bytecode = request.payload is not None and request.payload.is_bytecode
    return Wanted(all=not is_bytecode and len(request.root.text) <= SMALL_PAYLOAD)


def recorded(backend: Backend, request: RunRequest, wanted: Wanted | None = None) -> Recording:
    """Run `request` with `backend` and return its recording, with the states in `wanted`, by default none.

    Raises BackendError if the backend does not start.
    """
    record = backend.record(request, wanted or Wanted())
    if request.ends_at_unknown and record.result.status is Status.INVALID:
        shorter = up_to_unknown(request, backend.read)
        if shorter is not None:
            recording = recorded(backend, replace(shorter[0], ends_at_unknown=False), wanted)
            recording.result = recording.result.ended_early(shorter[1])
            return recording
    recording = Recording(request, record)
    mark_suppressed(request, recording.result, recording.steps, lambda again: backend.record(again, Wanted()))
    recording.mark_broken()
    return recording


class StateAtPlace(NamedTuple):
    """The passing whose state belongs to a place, and the step that led there.

    If the step was not completed, it is the state before the step. `step` is None before the first operation.
    """

    passing: int
    step: Step | None
    is_completed: bool


def executions_at(recording: Recording, file: str, offset: int) -> list[StateAtPlace] | None:
    """Return the state after each execution of the operation at `offset` of a file, as the user wrote it.

    None if no operation there is executed by itself. The place is interpreted as for a run that stops there.
    """
    points = [number for number, point in enumerate(recording.points) if point.script.name == file]
    if not points:
        return None
    edited = recording.points[points[0]].script.edited_offset(offset)
    index = stop_at([recording.points[number] for number in points], edited)
    if index is None:
        return None
    behind, before = points[index], points[index - 1] if index else None
    states = [
        StateAtPlace(number, recording.step_to(number), is_completed=True)
        for number, passing in enumerate(recording.passings)
        if passing.point == behind
    ]
    unfinished = (step for step in recording.steps if step.point == before and step.after is None)
    states += (StateAtPlace(step.before, step, is_completed=False) for step in unfinished)
    return sorted(states, key=lambda state: state.passing)
