"""``tdls/handleLines`` and ``tdls/lineOrigin``: parts of a recorded state in other states."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from tdls.analysis.file.source_file import SourceFile
from tdls.interpreter.recording.changes import changes
from tdls.lsp.protocol.run_target import StateDocument
from tdls.lsp.requests.recorded_places import problem
from tdls.lsp.runs.recordings import NoRecordingError
from tdls.lsp.runs.views import shown_text
from tdls.lsp.session.document_queue import DocumentQueue
from tdls.semantic.handle_types import HandleKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.catalogue import Catalogue
    from tdls.interpreter.recording.recording import HandleState, Recording
    from tdls.lsp.state import State

HANDLE_LINES = "tdls/handleLines"
LINE_ORIGIN = "tdls/lineOrigin"
_AT_ONCE = 64
"""Number of states to fetch together."""


async def _handle_lines(state: State, params: Any) -> dict[str, Any]:
    """Return the 0-based lines of the handle with the number `handle` of `uri` in `params`."""
    document, number = _state_document(params), _number_in(params, "handle")
    try:
        kept = state.recordings.of_document(document)
        await state.recordings.ask(kept, [document.passing])
    except NoRecordingError as error:
        return problem(error)
    known = kept.recording.known_state(document.passing)
    if known is None or number >= len(known.handles):
        raise JsonRpcInvalidParams("there is no such handle")
    handle = known.handles[number]
    text, catalogue = kept.recording.text(document.passing), kept.planned.request.script.catalogue
    return await state.queues.submit(DocumentQueue(), lambda: _handle_lines_answer(handle, text or "", catalogue))


async def _line_origin(state: State, params: Any) -> dict[str, Any]:
    """Return the steps that changed the 0-based `line` of `uri` in `params`, newest first."""
    document = _state_document(params)
    line: int | None = _number_in(params, "line")
    all_changes: list[dict[str, Any]] = []
    last = document.passing
    try:
        kept = state.recordings.of_document(document)
        while last > 0 and line is not None:
            first = max(0, last - _AT_ONCE)
            await state.recordings.ask(kept, range(first, last + 1))
            work = partial(_changes, kept.recording, range(last, first, -1), line)
            newest_first, line = await state.queues.submit(DocumentQueue(), work)
            all_changes += newest_first
            last = first
    except NoRecordingError as error:
        return problem(error)
    return {"changes": all_changes}


def _handle_lines_answer(handle: HandleState, text: str, catalogue: Catalogue) -> dict[str, Any]:
    """Return the lines of all operations with the same names as those of the handle.

    The answer is exact if the handle maps to as many operations of each name as the payload contains.
    """
    contents = handle.contents
    if contents is None or handle.kind is HandleKind.PARAMETERS:
        return {"lines": [], "isExact": False}
    operations = [(name, line) for name, line in _operations(text, catalogue) if name in contents.names]
    is_exact = Counter(name for name, _ in operations) == Counter(contents.names) and handle.is_current
    return {"lines": [line for _, line in operations], "isExact": is_exact and handle.kind is HandleKind.OPERATIONS}


def _operations(text: str, catalogue: Catalogue) -> Iterator[tuple[str, int]]:
    """Yield the names of all operations of a payload, and their first lines, 0-based."""
    file = SourceFile.of(shown_text(text), catalogue)
    for context in file.contexts:
        for outer in context.model.operations:
            for operation in outer.walk():
                yield operation.name, file.position(context.to_file(operation.span).start).line


def _changes(recording: Recording, passings: range, line: int) -> tuple[list[dict[str, Any]], int | None]:
    """Return the changes of a line through the descending `passings`, and its number before them, None if it was new.

    Lines are 0-based. The search ends at a state that was not kept.
    """
    line_changes: list[dict[str, Any]] = []
    for passing in passings:
        before, after = recording.text(passing - 1), recording.text(passing)
        if before is None or after is None or line >= len(after.splitlines()):
            return line_changes, None
        if before == after:
            continue
        difference = changes(before, after)
        same = {new: old for old, new in difference.same}
        old = same.get(line, difference.replaced.get(line))
        step = recording.step_to(passing)
        if line not in same and step is not None:
            line_changes.append({"step": step.number, "after": line, "before": old})
        if old is None:
            return line_changes, None
        line = old
    return line_changes, line


def _state_document(params: Any) -> StateDocument:
    """Return the state document with the `uri` in the parameters. Raises JsonRpcInvalidParams."""
    uri = params.get("uri") if isinstance(params, dict) else None
    document = StateDocument.from_uri(uri) if isinstance(uri, str) else None
    if document is None:
        raise JsonRpcInvalidParams("`uri` is that of a document with a state")
    return document


def _number_in(params: Any, name: str) -> int:
    """Return a required number from 0 in the parameters. Raises JsonRpcInvalidParams."""
    number = params.get(name)
    if type(number) is not int or number < 0:
        raise JsonRpcInvalidParams(f"`{name}` is a number from 0")
    return number


ANSWERS = {HANDLE_LINES: _handle_lines, LINE_ORIGIN: _line_origin}
