"""A recorded run that can be asked for any of its states.

A run that is recorded tells which points it passes, and states only where that was wanted. Who asks for another one has
the run repeated as far as that: runs are deterministic, and one that goes another way is refused.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.model import Status
from tdls.interpreter.observation.instrumented import place_at
from tdls.interpreter.recording.blame import blame
from tdls.interpreter.recording.changes import changes
from tdls.interpreter.recording.records import Wanted
from tdls.interpreter.recording.steps import StepEnd, steps_of_run

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.interpreter.model import Contents, Place, RunRequest, RunResult
    from tdls.interpreter.observation.points import Point
    from tdls.interpreter.recording.backend import RecordingBackend
    from tdls.interpreter.recording.changes import TextChanges
    from tdls.interpreter.recording.records import HandleRecord, Liveness, RunRecord, StateRecord
    from tdls.interpreter.recording.steps import Step
    from tdls.semantic.handle_types import HandleKind

SMALL_PAYLOAD = 100_000
"""Code points of a payload of which all states are told at once where people are going to look at some."""
KEPT_STATES = 64
"""How many states are kept that were asked for one by one; of those asked for longest ago none are."""


class RecordingError(Exception):
    """A state cannot be told; the message is one line for people."""


@dataclass(frozen=True, slots=True)
class HandleState:
    """A handle in a state. `start` and `end` are the offsets (code points) of its name where it is defined.

    `defined` is the step that it is a result of, None for an argument of a block. `since` is the step that ended its
    life, or may have. `contents` are None where they are not known, and always of a handle that is not live. Without
    `is_current` they are those that it had when it was defined.
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
    """A result of a step, with how much it stood for, and how many of each name, if that was looked at."""

    name: str
    kind: HandleKind
    contents: Contents | None


@dataclass(frozen=True, slots=True)
class State:
    """Payload and handles at a passing. `text` is None where there was no room to keep it."""

    passing: int
    text: str | None
    handles: tuple[HandleState, ...]


class Recording:
    """A recorded run of `request`."""

    def __init__(self, request: RunRequest, record: RunRecord) -> None:
        self.request = request
        self.result: RunResult = record.result
        self.is_faithful = record.is_faithful
        """False if nothing is known of the steps, since the script came upon being observed."""
        self.is_complete = record.is_complete
        """False if there were more steps than are told."""
        self.steps: tuple[Step, ...] = steps_of_run(record.points, record.followings, record.passings)
        self.passings = record.passings
        self.points = record.points
        self._known = dict(record.states)
        self._asked: OrderedDict[int, StateRecord] = OrderedDict()
        self._beginning = {step.before: step for step in self.steps}
        self._ending = {step.after: step for step in self.steps if step.after is not None}

    def point(self, passing: int) -> Point:
        """Return the point of a passing."""
        return self.points[self.passings[passing].point]

    @property
    def failing(self) -> Step | None:
        """The innermost step in which the run ended that did not succeed; None if there was none, or it is not told."""
        if self.result.status is Status.SUCCESS or not self.is_complete:
            return None
        unfinished = [step for step in self.steps if step.ended is StepEnd.UNFINISHED]
        return unfinished[-1] if unfinished else None

    def place(self, step: Step) -> Place:
        """Return where the operation of `step` is written."""
        return place_at(self.points[step.point].script, step.start)

    def source(self, step: Step) -> str:
        """Return the text that `step` is an operation of, as people wrote it."""
        return self.points[step.point].script.original

    def results(self, step: Step) -> tuple[NewHandle, ...]:
        """Return the handles that are new when `step` is completed."""
        if step.after is None:
            return ()
        passing = self.passings[step.after]
        handles = self.points[passing.point].handles
        return tuple(
            NewHandle(handle.shown, handle.kind, contents)
            for handle, contents in zip(handles, passing.contents, strict=False)
        )

    def change(self, step: Step) -> TextChanges | None:
        """Return what `step` changed in the payload; None unless it was completed and both states are known."""
        if step.after is None:
            return None
        before, after = self.text(step.before), self.text(step.after)
        return None if before is None or after is None else changes(before, after)

    def origins(self, passing: int) -> list[tuple[Step | None, Step | None]] | None:
        """Return, for each line of the payload at a passing, the steps that made it and that changed it last.

        None stands for a line that was there before the run. The states of all passings before have to be known, else
        nothing is returned.
        """
        states: list[tuple[int, str]] = []
        for number in range(passing + 1):
            text = self.text(number)
            if text is None:
                return None
            states.append((number, text))
        return [(self.step_to(made), self.step_to(changed)) for made, changed in blame(states)]

    def step_to(self, passing: int | None) -> Step | None:
        """Return the step that led to the state of a passing: one that ended there, or one that goes on."""
        if passing is None:
            return None
        return self._ending.get(passing) or self._beginning.get(passing - 1)

    def text(self, passing: int) -> str | None:
        """Return the payload at a passing if it is known already."""
        record = self._known.get(passing) or self._asked.get(passing)
        return None if record is None else record.text

    def known_state(self, passing: int) -> State | None:
        """Return the state of a passing if it is known already."""
        record = self._known.get(passing) or self._asked.get(passing)
        return self._state(passing, record) if record is not None else None

    def state(self, passing: int, backend: RecordingBackend) -> State:
        """Return the state of a passing; the `backend` repeats the run as far as that if it has to.

        Raises RecordingError where that does not lead there, BackendError if the backend does not start.
        """
        self.ask([passing], backend)
        known = self.known_state(passing)
        if known is None:
            raise RecordingError("the run did not come there again")
        return known

    def ask(self, passings: Iterable[int], backend: RecordingBackend) -> None:
        """Let the states of `passings` be known; the `backend` repeats the run once if it has to. Raises as `state`."""
        unknown = {number: self.passings[number].point for number in passings if not self._is_known(number)}
        if not unknown:
            return
        repeated = backend.record(self.request, Wanted.only(unknown))
        if not unknown.keys() <= repeated.states.keys():
            raise RecordingError(f"the run did not come there again: {repeated.result.detail or 'it ended before'}")
        if not self._went_the_same_way(repeated, max(unknown)):
            raise RecordingError("the run went another way when it was repeated")
        for number in unknown:
            self._asked[number] = repeated.states[number]
        while len(self._asked) > max(KEPT_STATES, len(unknown)):
            self._asked.popitem(last=False)

    def _is_known(self, passing: int) -> bool:
        if passing in self._asked:
            self._asked.move_to_end(passing)
        return passing in self._known or passing in self._asked

    def _went_the_same_way(self, repeated: RunRecord, passing: int) -> bool:
        before = [known.point for known in self.passings[: passing + 1]]
        return before == [known.point for known in repeated.passings[: passing + 1]]

    def _state(self, passing: int, record: StateRecord) -> State:
        return State(passing, record.text, tuple(filter(None, map(self._handle, record.handles))))

    def _handle(self, record: HandleRecord) -> HandleState | None:
        """Return what people may know of a handle; None for one that they did not write."""
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
    """Return which states are best told while `request` is recorded, so that any can be had soon."""
    return Wanted.every() if len(request.root.text) <= SMALL_PAYLOAD else Wanted()


def recorded(backend: RecordingBackend, request: RunRequest, wanted: Wanted | None = None) -> Recording:
    """Run `request` with `backend` and return its recording, with the states that are `wanted`, none by default.

    Raises BackendError if the backend does not start.
    """
    return Recording(request, backend.record(request, wanted or Wanted()))
