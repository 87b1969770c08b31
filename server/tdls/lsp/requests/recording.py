"""``tdls/recording``: all steps of a recorded run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tdls.ide.runs.step_moves import has_failed
from tdls.lsp.requests.recorded_places import (
    RecordedPlaces,
    RecordingChoice,
    found_recording,
    placed,
    problem,
)
from tdls.lsp.runs.recordings import NoRecordingError
from tdls.lsp.session.document_queue import DocumentQueue

if TYPE_CHECKING:
    from tdls.interpreter.recording.recording import NewHandle, Recording
    from tdls.interpreter.recording.steps import Step
    from tdls.lsp.connection.registration import Methods
    from tdls.lsp.runs.recordings import FoundRecording
    from tdls.lsp.session.session import Session
    from tdls.lsp.state import State

RECORDING = "tdls/recording"
_MOST_STEPS = 20_000
"""Maximum number of steps in an answer."""
_PATIENCE = 0.4
"""Seconds to compare payloads before and after steps."""


def register(features: Methods, state: State) -> None:
    """Answer with all steps of a run, for a timeline next to the script."""

    @features.feature(RECORDING)
    async def recording(params: Any) -> dict[str, Any] | None:
        """Return the steps of the run for the position in `params`; None if there is no run target for it."""
        choice = RecordingChoice.of(params)
        queue = state.queue_of(choice.place.text_document.uri)
        await state.open_documents.edited()
        place = await state.queues.submit(queue, lambda: placed(state, choice))
        try:
            found = await found_recording(state.recordings, place, choice) if place is not None else None
        except NoRecordingError as error:
            return problem(error)
        if found is None:
            return None
        sizes = await state.queues.submit(DocumentQueue(), lambda: _sizes(found.kept.recording))
        return await state.queues.submit(queue, lambda: _answer(state, found, sizes))


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
        "location": places.moved_location(step.file, step.start, step.end),
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
    """Return the number of lines that steps added and removed, by step number, as far as `_PATIENCE` permits."""
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
