"""``tdls/stateAt``: payload and handles behind the operation of a script at the cursor, in a recorded run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from tdls.ide.runs.run_report import uri_of_name
from tdls.interpreter.recording.lookup import StateAtPlace, executions_at
from tdls.lsp.protocol.custom_parameters import text_document_position
from tdls.lsp.protocol.positions import to_range
from tdls.lsp.runs.recordings import NoRecordingError, target_at
from tdls.lsp.session.lanes import Lane
from tdls.text.edited_offset import offset_before
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from tdls.interpreter.model import Contents, Place
    from tdls.interpreter.recording.recording import HandleState
    from tdls.interpreter.recording.steps import Step
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.protocol.run_target import RunTarget
    from tdls.lsp.runs.recordings import KeptRecording, Recordings
    from tdls.lsp.session.document import OpenDocuments
    from tdls.lsp.session.lanes import Lanes
    from tdls.lsp.session.session import Cursor, Session

METHOD = "tdls/stateAt"


def register(
    features: Features, session: Session, documents: OpenDocuments, lanes: Lanes, recordings: Recordings
) -> None:
    """Answer what a view beside the script shows of the place of the cursor."""

    @features.feature(METHOD)
    async def state_at(params: Any) -> dict[str, Any] | None:
        """Return the state at the position in `params`; None where nothing is executed."""
        asked, wishes = text_document_position(params), _Wishes(params)
        opened = documents.get(asked.text_document.uri)
        lane = opened.lane if opened is not None else Lane()
        place = await lanes.submit(lane, lambda: _placed(session.cursor(asked)))
        if place is None:
            return None
        try:
            kept, is_current = await recordings.of(place.target)
            answer = _Answer(session, place.cursor, kept, is_current)
            state = await lanes.submit(lane, lambda: answer.place(wishes))
            if state is not None:
                await recordings.ask(kept, answer.passings(state))
            return await lanes.submit(lane, lambda: answer.document(state, wishes))
        except NoRecordingError as error:
            return {"problem": str(error)}


class _Placed(NamedTuple):
    """A cursor, and what is run for it."""

    cursor: Cursor
    target: RunTarget


def _placed(cursor: Cursor | None) -> _Placed | None:
    target = target_at(cursor.file, cursor.uri, cursor.offset) if cursor is not None else None
    return _Placed(cursor, target) if cursor is not None and target is not None else None


class _Wishes:
    """What is asked for beside a position: an execution, from 1, or a step; and whether the payload goes with it."""

    def __init__(self, params: Any) -> None:
        """Raises JsonRpcInvalidParams."""
        self.execution = params.get("execution", 1)
        self.step = params.get("step")
        self.text = params.get("text", False)
        numbers = [self.execution, *([self.step] if self.step is not None else [])]
        if not (all(type(number) is int and number > 0 for number in numbers) and isinstance(self.text, bool)):
            raise JsonRpcInvalidParams("`execution` and `step` are numbers from 1, `text` is a boolean")


class _Answer:
    """The answer for one recording."""

    def __init__(self, session: Session, cursor: Cursor, kept: KeptRecording, is_current: bool) -> None:
        self._session = session
        self._cursor = cursor
        self._kept = kept
        self._recording = kept.recording
        self._is_current = is_current
        self._executions: list[StateAtPlace] = []
        self._lines: dict[str, list[str]] = {}

    def place(self, wishes: _Wishes) -> StateAtPlace | None:
        """Return the state that is asked for; None where nothing was executed."""
        if wishes.step is not None:
            steps = self._recording.steps
            return _of_step(steps[wishes.step - 1]) if wishes.step <= len(steps) else None
        offset = offset_before(self._kept.text, self._cursor.file.text, self._cursor.offset)
        name = self._recording.request.script.name
        self._executions = executions_at(self._recording, name, offset) or []
        return self._executions[min(wishes.execution, len(self._executions)) - 1] if self._executions else None

    def passings(self, place: StateAtPlace) -> list[int]:
        """Return the passings whose states are told."""
        before = [place.step.before] if place.step is not None else []
        return [*before, place.passing]

    def document(self, place: StateAtPlace | None, wishes: _Wishes) -> dict[str, Any]:
        """Return the answer."""
        recording = self._recording
        failing = recording.failing
        common = {
            "isCurrent": self._is_current,
            "status": recording.result.status.value,
            "detail": recording.result.detail,
            "steps": len(recording.steps),
            "failing": failing.number if failing is not None else None,
        }
        state = recording.known_state(place.passing) if place is not None else None
        if place is None or state is None:
            return {**common, "step": None, "handles": [], "before": None, "after": None}
        before, after = (place.step.before if place.step is not None else None), place.passing
        return {
            **common,
            "step": self._step(place.step) if place.step is not None else None,
            "isCompleted": place.is_completed,
            "executions": [other.step.number for other in self._executions if other.step is not None],
            "handles": [self._handle(handle) for handle in state.handles],
            "before": self._payload(before, wishes),
            "after": self._payload(after if place.is_completed else None, wishes),
        }

    def _payload(self, passing: int | None, wishes: _Wishes) -> dict[str, Any] | None:
        if passing is None:
            return None
        text = {"text": self._recording.text(passing)} if wishes.text else {}
        return {"uri": self._kept.document(passing).uri, **text}

    def _step(self, step: Step) -> dict[str, Any]:
        change = self._recording.change(step)
        return {
            **self._mention(step),
            "execution": step.execution,
            "ended": step.ended.value,
            "milliseconds": round(step.seconds * 1e3, 4) if step.seconds is not None else None,
            "added": len(change.added) if change is not None else None,
            "removed": len(change.removed) if change is not None else None,
            "path": [self._mention(around) for around in step.path],
        }

    def _mention(self, step: Step) -> dict[str, Any]:
        return {
            "number": step.number,
            "operation": step.operation,
            "location": self._location(step.file, step.start, step.end),
            "region": step.region,
            "iteration": step.iteration,
        }

    def _handle(self, handle: HandleState) -> dict[str, Any]:
        contents = handle.contents
        return {
            "name": handle.name,
            "kind": handle.kind.value,
            "location": self._location(handle.file, handle.start, handle.end),
            "liveness": handle.liveness.value,
            "since": self._mention(handle.since) if handle.since is not None else None,
            "defined": handle.defined.number if handle.defined is not None else None,
            "isExact": handle.is_current,
            "count": contents.count if contents is not None else None,
            "names": contents.names if contents is not None else {},
            "items": self._items(contents) if contents is not None else [],
        }

    def _items(self, contents: Contents) -> list[dict[str, Any]]:
        return [
            {"name": item.name, "location": self._payload_location(item.place) if item.place is not None else None}
            for item in contents.items
        ]

    def _payload_location(self, place: Place) -> types.Location | None:
        """Return a place that MLIR read; None in a text that is another one now, or not of the run."""
        uri, text = uri_of_name(place.file), self._kept.planned.texts.get(place.file)
        file = self._session.file(uri)
        if text is None or (file is not None and file.text != text):
            return None
        lines = self._lines.setdefault(place.file, text.split("\n"))
        if not 0 < place.line <= len(lines):
            return None
        line = lines[place.line - 1]
        before = line.encode("utf-8", "replace")[: max(0, place.column - 1)].decode("utf-8", "ignore")
        position = types.Position(place.line - 1, self._session.encoding.units(line, len(before)))
        return types.Location(uri, types.Range(position, position))

    def _location(self, name: str, start: int, end: int) -> types.Location | None:
        """Return a place in a file of the run; None where its text is another one now."""
        uri = uri_of_name(name)
        file = self._session.file(uri)
        if file is None or self._kept.planned.texts.get(name) != file.text:
            return None
        return types.Location(uri, to_range(file, FileSpan(start, end), self._session.encoding))


def _of_step(step: Step) -> StateAtPlace:
    is_completed = step.after is not None
    return StateAtPlace(step.after if step.after is not None else step.before, step, is_completed)
