"""``tdls/stateAt``: payload and handles after the operation of a script at the cursor, in a recorded run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from tdls.ide.runs.step_moves import moves_from
from tdls.interpreter.recording.recording import StateAtPlace
from tdls.interpreter.recording.summary import summary_of_text
from tdls.lsp.requests.recorded_places import RecordedPlaces, problem
from tdls.lsp.requests.recording import RecordingChoice, found_recording, states_at
from tdls.lsp.runs.recordings import NoRecordingError
from tdls.lsp.runs.views import shown_text

if TYPE_CHECKING:
    from tdls.interpreter.observing.steps import Step
    from tdls.interpreter.recording.changes import TextChanges
    from tdls.interpreter.recording.recording import HandleState
    from tdls.lsp.runs.recordings import FoundRecording
    from tdls.lsp.session.session import Cursor, Session
    from tdls.lsp.state import State

METHOD = "tdls/stateAt"
_MOST_LINES = 4000
"""Maximum number of changed lines in an answer."""


async def _state_at(state: State, params: Any) -> dict[str, Any] | None:
    """Return the state at the position in `params`, or None if there is no recording for it."""
    choice, options = RecordingChoice.of(params), _StateRequest(params)
    queue = state.queue_of(choice.place.text_document.uri)
    try:
        cursor, latest = await found_recording(state, choice)
        if cursor is None or latest is None:
            return None
        answer = _Answer(state, cursor, latest)
        moment = await state.queues.submit(queue, lambda: answer.place(options))
        if moment is not None:
            await state.recordings.ask(latest.kept, answer.passings(moment))
        return await state.queues.submit(queue, lambda: answer.document(moment, options))
    except NoRecordingError as error:
        return problem(error)


class _StateRequest:
    """Optional parameters: a 1-based execution or step, and whether to include the payload's text or its changes."""

    def __init__(self, params: Any) -> None:
        """Raises JsonRpcInvalidParams."""
        self.execution = params.get("execution", 1)
        self.step = params.get("step")
        self.text = params.get("text", False)
        self.changes = params.get("changes", False)
        numbers = [self.execution, *([self.step] if self.step is not None else [])]
        are_numbers = all(type(number) is int and number > 0 for number in numbers)
        if not (are_numbers and isinstance(self.text, bool) and isinstance(self.changes, bool)):
            raise JsonRpcInvalidParams("`execution` and `step` are numbers from 1, `text` and `changes` are booleans")


class _Answer:
    """The answer for one recording."""

    def __init__(self, session: Session, cursor: Cursor, latest: FoundRecording) -> None:
        self._cursor = cursor
        self._kept = latest.kept
        self._recording = latest.kept.recording
        self._places = RecordedPlaces(session, latest)
        self._executions: list[StateAtPlace] = []

    def place(self, options: _StateRequest) -> StateAtPlace | None:
        """Return the requested state, or None if no step was executed there."""
        if options.step is not None:
            steps = self._recording.steps
            if options.step > len(steps):
                return None
            step = steps[options.step - 1]
            self._executions = [_of_step(other) for other in steps if other.point == step.point]
            return _of_step(step)
        self._executions = states_at(self._cursor, self._kept)
        return self._executions[min(options.execution, len(self._executions)) - 1] if self._executions else None

    def passings(self, place: StateAtPlace) -> list[int]:
        """Return the passings whose states the answer contains."""
        before = [place.step.before] if place.step is not None else []
        return [*before, place.passing]

    def document(self, place: StateAtPlace | None, options: _StateRequest) -> dict[str, Any]:
        common = {**self._places.common, "diagnostics": self._places.diagnostics()}
        state = self._recording.known_state(place.passing) if place is not None else None
        moves = moves_from(self._recording, place.step if place is not None else None)
        common["moves"] = {name: step.number if step is not None else None for name, step in moves._asdict().items()}
        if place is None or state is None:
            return {**common, "step": None, "handles": [], "before": None, "compared": None, "after": None}
        step = place.step
        change = self._recording.change(step) if step is not None else None
        hunks = {"hunks": _hunks(change) if change is not None else []} if options.changes else {}
        return {
            **common,
            "step": self._step(step, change) if step is not None else None,
            "isCompleted": place.is_completed,
            "executions": [other.step.number for other in self._executions if other.step is not None],
            "handles": [self._handle(handle) for handle in state.handles],
            "summary": summary_of_text(shown_text(state.text or ""), self._cursor.file.catalogue),
            "before": self._payload(step.before if step is not None else None, options),
            "compared": {"uri": self._kept.document(step.before).uri} if step and place.is_completed else None,
            "after": self._payload(place.passing if place.is_completed else None, options),
            **hunks,
        }

    def _payload(self, passing: int | None, options: _StateRequest) -> dict[str, Any] | None:
        if passing is None:
            return None
        text = self._recording.text(passing) if options.text else None
        shown = {"text": shown_text(text) if text is not None else None} if options.text else {}
        return {"uri": self._kept.document(passing).uri, **shown}

    def _step(self, step: Step, change: TextChanges | None) -> dict[str, Any]:
        return {
            **self._places.mention(step),
            "execution": step.execution,
            "ended": step.ended.value,
            "reason": step.reason,
            "milliseconds": round(step.seconds * 1e3, 4) if step.seconds is not None else None,
            "added": len(change.added) if change is not None else None,
            "removed": len(change.removed) if change is not None else None,
            "path": [self._places.mention(around) for around in step.path],
        }

    def _handle(self, handle: HandleState) -> dict[str, Any]:
        contents = handle.contents
        return {
            "name": handle.name,
            "kind": handle.kind.value,
            "location": self._places.location(handle.file, handle.start, handle.end),
            "liveness": handle.liveness.value,
            "since": self._places.mention(handle.since) if handle.since is not None else None,
            "defined": handle.defined.number if handle.defined is not None else None,
            "isExact": handle.is_current,
            "count": contents.count if contents is not None else None,
            "names": contents.names if contents is not None else {},
            "items": [
                {"name": item.name, "location": self._places.mlir_location(item.place)}
                for item in (contents.items if contents is not None else ())
            ],
        }


def _hunks(change: TextChanges) -> list[list[list[Any]]]:
    """Return the changed lines with context, each as its kind, its numbers before and after, and its text."""
    hunks: list[list[list[Any]]] = []
    room = _MOST_LINES
    for hunk in change.hunks() if change.added or change.removed else []:
        texts = (change.before[row[1]] if row[1] >= 0 else change.after[row[2]] for row in hunk[:room])
        lines = [[*row, shown_text(text)] for row, text in zip(hunk, texts, strict=False)]
        room -= len(lines)
        hunks.append(lines)
        if not room:
            break
    return hunks


def _of_step(step: Step) -> StateAtPlace:
    is_completed = step.after is not None
    return StateAtPlace(step.after if step.after is not None else step.before, step, is_completed)


ANSWERS = {METHOD: _state_at}
