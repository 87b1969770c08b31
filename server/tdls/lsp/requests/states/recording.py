"""``tdls/recording``: all steps of a recorded run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tdls.ide.runs.step_moves import has_failed
from tdls.lsp.requests.states.asked_recording import AskedRecording, found_recording, placed
from tdls.lsp.requests.states.recorded_places import RecordedPlaces, problem
from tdls.lsp.runs.recordings import NoRecordingError
from tdls.lsp.session.lanes import Lane

if TYPE_CHECKING:
    from tdls.interpreter.recording.recording import NewHandle, Recording
    from tdls.interpreter.recording.steps import Step
    from tdls.lsp.connection.registration import Methods
    from tdls.lsp.runs.recordings import FoundRecording, Recordings
    from tdls.lsp.session.document import OpenDocuments
    from tdls.lsp.session.lanes import Lanes
    from tdls.lsp.session.session import Session

METHOD = "tdls/recording"
_MOST_STEPS = 20_000
"""The most steps that are told."""
_PATIENCE = 0.4
"""Seconds after which no further payloads are compared."""


def register(
    features: Methods, session: Session, documents: OpenDocuments, lanes: Lanes, recordings: Recordings
) -> None:
    """Answer what a timeline beside the script shows."""

    @features.feature(METHOD)
    async def recording(params: Any) -> dict[str, Any] | None:
        """Return the steps of the run that the position in `params` is in; None where nothing is run for it."""
        asked = AskedRecording.of(params)
        opened = documents.get(asked.place.text_document.uri)
        lane = opened.lane if opened is not None else Lane()
        await documents.edited()
        place = await lanes.submit(lane, lambda: placed(session, asked))
        try:
            found = await found_recording(recordings, place, asked) if place is not None else None
        except NoRecordingError as error:
            return problem(error)
        if found is None:
            return None
        sizes = await lanes.submit(Lane(), lambda: _sizes(found.kept.recording))
        return await lanes.submit(lane, lambda: _answer(session, found, sizes))


def _answer(session: Session, found: FoundRecording, sizes: dict[int, tuple[int, int]]) -> dict[str, Any]:
    kept, places = found.kept, RecordedPlaces(session, found)
    recording, target = kept.recording, kept.target
    return {
        **places.common,
        "uri": target.script,
        "entryPoint": target.entry_point,
        "part": target.part,
        "mlir": recording.result.mlir,
        "isComplete": recording.is_complete and len(recording.steps) <= _MOST_STEPS,
        "isFaithful": recording.is_faithful,
        "diagnostics": places.diagnostics(),
        "list": [_step(recording, places, step, sizes) for step in recording.steps[:_MOST_STEPS]],
    }


def _step(
    recording: Recording, places: RecordedPlaces, step: Step, sizes: dict[int, tuple[int, int]]
) -> dict[str, Any]:
    added, removed = sizes.get(step.number, (None, None))
    return {
        "operation": step.operation,
        "location": places.moved_location(step.file, step.start, step.end),
        "parent": step.parent.number if step.parent is not None else None,
        "region": step.region,
        "iteration": step.iteration,
        "execution": step.execution,
        "ended": step.ended.value,
        "hasFailed": has_failed(recording, step),
        "milliseconds": round(step.seconds * 1e3, 4) if step.seconds is not None else None,
        "added": added,
        "removed": removed,
        "results": [_result(new) for new in recording.results(step)],
    }


def _result(new: NewHandle) -> dict[str, Any]:
    contents = new.contents
    return {
        "name": new.name,
        "kind": new.kind.value,
        "count": contents.count if contents is not None else None,
        "names": contents.names if contents is not None else {},
    }


def _sizes(recording: Recording) -> dict[int, tuple[int, int]]:
    """Return how many lines steps added and removed, by number; as far as that is soon found out."""
    end = time.monotonic() + _PATIENCE
    found: dict[int, tuple[int, int]] = {}
    for step in recording.steps[:_MOST_STEPS]:
        before, after = recording.text(step.before), recording.text(step.after) if step.after is not None else None
        if before is None or after is None:
            continue
        if before == after:
            found[step.number] = (0, 0)
        elif time.monotonic() < end:
            change = recording.change(step)
            if change is not None:
                found[step.number] = (len(change.added), len(change.removed))
    return found
