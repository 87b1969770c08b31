"""``tdls/recording``, ``tdls/emptySince``, ``tdls/handleLines`` and ``tdls/lineOrigin``: queries on a recorded run."""

from __future__ import annotations

import time
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from tdls.analysis.file.source_file import SourceFile
from tdls.ide.runs.step_moves import has_failed
from tdls.interpreter.recording.changes import changes
from tdls.lsp.requests.recorded_places import (
    RecordedPlaces,
    RecordingChoice,
    found_recording,
    handle_in,
    number_in,
    placed,
    problem,
    state_document,
)
from tdls.lsp.runs.recordings import NoRecordingError
from tdls.lsp.session.document_queue import DocumentQueue
from tdls.semantic.handle_types import HandleKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.catalogue import Catalogue
    from tdls.interpreter.recording.recording import HandleState, NewHandle, Recording
    from tdls.interpreter.recording.steps import Step
    from tdls.lsp.connection.registration import Methods
    from tdls.lsp.runs.recordings import FoundRecording, Recordings
    from tdls.lsp.session.document import OpenDocuments
    from tdls.lsp.session.document_queue import DocumentQueues
    from tdls.lsp.session.session import Session

RECORDING = "tdls/recording"
_MOST_STEPS = 20_000
"""Maximum number of steps in an answer."""
_PATIENCE = 0.4
"""Seconds to compare payloads before and after steps."""


def register_recording(
    features: Methods, session: Session, documents: OpenDocuments, queues: DocumentQueues, recordings: Recordings
) -> None:
    """Answer with all steps of a run, for a timeline next to the script."""

    @features.feature(RECORDING)
    async def recording(params: Any) -> dict[str, Any] | None:
        """Return the steps of the run for the position in `params`; None if there is no run target for it."""
        choice = RecordingChoice.of(params)
        opened = documents.get(choice.place.text_document.uri)
        queue = opened.queue if opened is not None else DocumentQueue()
        await documents.edited()
        place = await queues.submit(queue, lambda: placed(session, choice))
        try:
            found = await found_recording(recordings, place, choice) if place is not None else None
        except NoRecordingError as error:
            return problem(error)
        if found is None:
            return None
        sizes = await queues.submit(DocumentQueue(), lambda: _sizes(found.kept.recording))
        return await queues.submit(queue, lambda: _answer(session, found, sizes))


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


EMPTY_SINCE = "tdls/emptySince"
_MOST_STATES = 500
"""Maximum number of states to inspect."""


def register_empty_since(features: Methods, recordings: Recordings) -> None:
    """Answer with the step after which a handle is empty."""

    @features.feature(EMPTY_SINCE)
    async def empty_since(params: Any) -> dict[str, Any]:
        """Return the step after which the handle with the number `handle` of `uri` is empty; None if it never is."""
        document, number = state_document(params), number_in(params, "handle")
        try:
            kept = recordings.of_document(document)
            await recordings.ask(kept, [document.passing])
            handle = handle_in(kept.recording, document.passing, number)
            begin = handle.defined.after if handle.defined is not None and handle.defined.after is not None else 0
            passings = range(begin, min(len(kept.recording.passings), begin + _MOST_STATES))
            await recordings.ask(kept, passings)
        except NoRecordingError as error:
            return problem(error)
        return {"step": _first_empty(kept.recording, handle, passings)}


def _first_empty(recording: Recording, handle: HandleState, passings: range) -> int | None:
    for passing in passings:
        state = recording.known_state(passing)
        for other in state.handles if state is not None else ():
            is_it = (other.file, other.start, other.defined) == (handle.file, handle.start, handle.defined)
            if is_it and other.is_current and other.contents is not None and not other.contents.count:
                step = recording.step_to(passing)
                return step.number if step is not None else None
    return None


HANDLE_LINES = "tdls/handleLines"


def register_handle_lines(features: Methods, queues: DocumentQueues, recordings: Recordings) -> None:
    """Answer with the lines of a state to which a handle maps."""

    @features.feature(HANDLE_LINES)
    async def handle_lines(params: Any) -> dict[str, Any]:
        """Return the 0-based lines of the handle with the number `handle` of `uri` in `params`."""
        document, number = state_document(params), number_in(params, "handle")
        try:
            kept = recordings.of_document(document)
            await recordings.ask(kept, [document.passing])
        except NoRecordingError as error:
            return problem(error)
        handle = handle_in(kept.recording, document.passing, number)
        text, catalogue = kept.recording.text(document.passing), kept.planned.request.script.catalogue
        return await queues.submit(DocumentQueue(), lambda: _handle_lines_answer(handle, text or "", catalogue))


def _handle_lines_answer(handle: HandleState, text: str, catalogue: Catalogue) -> dict[str, Any]:
    """Return the lines of all operations with the same names as those of the handle.

    The answer is exact if the handle maps to as many operations of each name as the payload contains.
    """
    contents = handle.contents
    if contents is None or handle.kind is HandleKind.PARAMETERS:
        return {"lines": [], "isExact": False}
    found = [(name, line) for name, line in _operations(text, catalogue) if name in contents.names]
    is_exact = Counter(name for name, _ in found) == Counter(contents.names) and handle.kind is HandleKind.OPERATIONS
    return {"lines": [line for _, line in found], "isExact": is_exact and handle.is_current}


def _operations(text: str, catalogue: Catalogue) -> Iterator[tuple[str, int]]:
    """Yield the names of all operations of a payload, and their first lines, 0-based."""
    file = SourceFile.of(text, catalogue)
    for context in file.contexts:
        for outer in context.model.operations:
            for operation in outer.walk():
                yield operation.name, file.position(context.to_file(operation.span).start).line


LINE_ORIGIN = "tdls/lineOrigin"
_AT_ONCE = 64
"""Number of states to fetch together."""


def register_line_origin(features: Methods, queues: DocumentQueues, recordings: Recordings) -> None:
    """Answer with the steps that changed a line of a state document."""

    @features.feature(LINE_ORIGIN)
    async def line_origin(params: Any) -> dict[str, Any]:
        """Return the steps that changed the 0-based `line` of `uri` in `params`, newest first."""
        document = state_document(params)
        line: int | None = number_in(params, "line")
        found: list[dict[str, Any]] = []
        last = document.passing
        try:
            kept = recordings.of_document(document)
            while last > 0 and line is not None:
                first = max(0, last - _AT_ONCE)
                await recordings.ask(kept, range(first, last + 1))
                work = partial(_changes, kept.recording, range(last, first, -1), line)
                newest_first, line = await queues.submit(DocumentQueue(), work)
                found += newest_first
                last = first
        except NoRecordingError as error:
            return problem(error)
        return {"changes": found}


def _changes(recording: Recording, passings: range, line: int) -> tuple[list[dict[str, Any]], int | None]:
    """Return the changes of a line through the descending `passings`, and its number before them, None if it was new.

    Lines are 0-based. The search ends at a state that was not kept.
    """
    found: list[dict[str, Any]] = []
    for passing in passings:
        before, after = recording.text(passing - 1), recording.text(passing)
        if before is None or after is None or line >= len(after.splitlines()):
            return found, None
        if before == after:
            continue
        difference = changes(before, after)
        same = {new: old for old, new in difference.same}
        old = same.get(line, difference.replaced.get(line))
        step = recording.step_to(passing)
        if line not in same and step is not None:
            found.append({"step": step.number, "after": line, "before": old})
        if old is None:
            return found, None
        line = old
    return found, line
