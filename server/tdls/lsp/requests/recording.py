"""``tdls/recording`` and ``tdls/matches``: all steps of a recorded run, and what matchers accepted in the last one."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pygls.exceptions import JsonRpcInvalidParams

from tdls.ide.runs.step_moves import has_failed
from tdls.interpreter.matching.document import matches_object
from tdls.interpreter.recording.recording import executions_at
from tdls.lsp.protocol.conversions import optional_uri, path_of, text_document_position
from tdls.lsp.protocol.run_target import RunTarget, TargetOptions
from tdls.lsp.requests.recorded_places import RecordedPlaces, problem
from tdls.lsp.runs.planning import place_of_entry
from tdls.lsp.runs.recordings import Lack, NoRecordingError, target_at
from tdls.lsp.session.document_queue import DocumentQueue
from tdls.text.difference import ChangedRange

if TYPE_CHECKING:
    from lsprotocol import types

    from tdls.interpreter.observing.steps import Step
    from tdls.interpreter.recording.recording import Recording, StateAtPlace
    from tdls.lsp.runs.recordings import FoundRecording, KeptRecording
    from tdls.lsp.session.session import Cursor, Session
    from tdls.lsp.state import State

RECORDING = "tdls/recording"
MATCHES = "tdls/matches"
_MOST_STEPS = 20_000
"""Maximum number of steps in an answer."""
_PATIENCE = 0.4
"""Seconds to compare payloads before and after steps."""


async def _recording(state: State, params: Any) -> dict[str, Any] | None:
    """Return the steps of the run for the position in `params`, or None if there is no run target for it."""
    choice = RecordingChoice.of(params)
    queue = state.queue_of(choice.place.text_document.uri)
    try:
        _, latest = await found_recording(state, choice)
    except NoRecordingError as error:
        return problem(error)
    if latest is None:
        return None
    sizes = await state.queues.submit(DocumentQueue(), lambda: _sizes(latest.kept.recording))
    return await state.queues.submit(queue, lambda: _answer(state, latest, sizes))


async def _matches(state: State, params: Any) -> dict[str, Any]:
    """Return the matches of the newest run with the file `uri` in `params`, or a `problem`."""
    uri = optional_uri(params)
    if not uri:
        raise JsonRpcInvalidParams("the parameters are {uri}")
    explained = await state.runs.matches(state.built.script_of(uri) or uri)
    if explained is None:
        return {"problem": state.runs.why_no_matches(state.built.script_of(uri) or uri)}
    target = explained.target
    return {
        "uri": target.script,
        "entryPoint": target.entry_point,
        "part": target.part,
        "isCurrent": state.runs.is_current(explained),
        "matches": await asyncio.to_thread(matches_object, explained.explanation),
    }


def _answer(session: Session, latest: FoundRecording, sizes: dict[int, tuple[int, int]]) -> dict[str, Any]:
    kept, places = latest.kept, RecordedPlaces(session, latest)
    recording, target = kept.recording, kept.target
    return {
        **places.common,
        "uri": target.script,
        "entryPoint": target.entry_point,
        "part": target.part,
        "mlir": recording.result.mlir,
        "isComplete": len(recording.steps) <= _MOST_STEPS,
        "unobserved": recording.result.unobserved,
        "diagnostics": places.diagnostics(),
        "list": [_step(recording, places, step, sizes) for step in recording.steps[:_MOST_STEPS]],
    }


def _step(
    recording: Recording, places: RecordedPlaces, step: Step, sizes: dict[int, tuple[int, int]]
) -> dict[str, Any]:
    added, removed = sizes.get(step.number, (None, None))
    return {
        "operation": step.operation,
        "location": places.location(step.file, step.start, step.end),
        "parent": step.parent.number if step.parent is not None else None,
        "region": step.region,
        "iteration": step.iteration,
        "execution": step.execution,
        "ended": step.ended.value,
        "reason": step.reason,
        "hasFailed": has_failed(recording, step),
        "milliseconds": round(step.seconds * 1e3, 4) if step.seconds is not None else None,
        "added": added,
        "removed": removed,
        "results": [
            {
                "name": new.name,
                "kind": new.kind.value,
                "count": new.contents.count if new.contents is not None else None,
                "names": new.contents.names if new.contents is not None else {},
            }
            for new in recording.results(step)
        ],
    }


def _sizes(recording: Recording) -> dict[int, tuple[int, int]]:
    """Return the number of lines that steps added and removed, by step number, within `_PATIENCE`."""
    end = time.monotonic() + _PATIENCE
    by_step: dict[int, tuple[int, int]] = {}
    for step in recording.steps[:_MOST_STEPS]:
        before, after = recording.text(step.before), recording.text(step.after) if step.after is not None else None
        if before is None or after is None:
            continue
        if before == after:
            by_step[step.number] = (0, 0)
        elif time.monotonic() < end:
            change = recording.change(step)
            if change is not None:
                by_step[step.number] = (len(change.added), len(change.removed))
    return by_step


class RecordingChoice(NamedTuple):
    """Parameters of a request that select a recording: a position, and options of the run.

    Without `records`, no script is run for the answer. Without `entry_point`, the position selects it.
    """

    place: types.TextDocumentPositionParams
    records: bool
    payload: Path | None
    entry_point: str | None
    part: int | None

    @classmethod
    def of(cls, params: Any) -> RecordingChoice:
        """Parse the parameters. Raises JsonRpcInvalidParams."""
        place = text_document_position(params)
        records, part = params.get("record", True), params.get("part")
        if not isinstance(records, bool) or not (part is None or type(part) is int):
            raise JsonRpcInvalidParams("`record` is a boolean, and `part` is a number")
        payload, entry_point = params.get("payload"), params.get("entryPoint")
        if not all(text is None or isinstance(text, str) for text in (payload, entry_point)):
            raise JsonRpcInvalidParams("`payload` and `entryPoint` are texts")
        path = path_of(payload) or Path(payload) if payload is not None else None
        return cls(place, records, path, entry_point, part)

    @property
    def options(self) -> TargetOptions | None:
        """Options of the run, or None if the request has none."""
        return TargetOptions(self.payload) if self.payload is not None else None


async def found_recording(state: State, choice: RecordingChoice) -> tuple[Cursor | None, FoundRecording | None]:
    """Return the cursor of a request, in a program that of the operation built there, and the recording of its script.

    If nothing may be run, or there is no entry point, it is the last recording with this input file. None without a
    script or a run target. Raises NoRecordingError.
    """
    queue, recordings = state.queue_of(choice.place.text_document.uri), state.recordings
    await state.open_documents.edited()
    cursor, target = await state.queues.submit(queue, lambda: _placed(state, choice))
    if cursor is None:
        return None, None
    if choice.records and target is not None:
        return cursor, await recordings.of(target, choice.options)
    known = recordings.known(target) if target is not None else None
    known = known or recordings.known_with(name_of(cursor.uri))
    if known is None and target is not None:
        raise NoRecordingError("the script was not recorded yet", Lack.RECORDING)
    return cursor, known


def _placed(session: Session, choice: RecordingChoice) -> tuple[Cursor | None, RunTarget | None]:
    cursor = session.cursor(choice.place) or session.built_cursor(choice.place)
    if cursor is None:
        return None, None
    if choice.entry_point is None:
        return cursor, target_at(cursor.file, cursor.uri, cursor.offset)
    name = choice.entry_point.removeprefix("@")
    entry = place_of_entry(cursor.file, name, choice.part)
    return cursor, RunTarget(cursor.uri, name, entry.part) if entry is not None else None


def states_at(cursor: Cursor, kept: KeptRecording) -> list[StateAtPlace]:
    """Return the state after each execution of the operation at a cursor, whose text may have changed since the run."""
    name = name_of(cursor.uri)
    changed = ChangedRange.between(kept.text(name), cursor.file.text)
    return executions_at(kept.recording, name, changed.offset_before(cursor.offset)) or []


def name_of(uri: str) -> str:
    """Return the name of a document in run requests."""
    path = path_of(uri)
    return str(path) if path is not None else uri


ANSWERS = {RECORDING: _recording, MATCHES: _matches}
