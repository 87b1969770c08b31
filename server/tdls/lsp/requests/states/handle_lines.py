"""``tdls/handleLines``: where what a handle stands for is, in the document with the payload of that state."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tdls.analysis.file.source_file import SourceFile
from tdls.lsp.requests.states.asked_recording import handle_in, number_in, state_document
from tdls.lsp.requests.states.recorded_places import problem
from tdls.lsp.runs.recordings import NoRecordingError
from tdls.lsp.session.lanes import Lane
from tdls.semantic.handle_types import HandleKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.catalogue import Catalogue
    from tdls.interpreter.recording.recording import HandleState
    from tdls.lsp.connection.registration import Methods
    from tdls.lsp.runs.recordings import Recordings
    from tdls.lsp.session.lanes import Lanes

METHOD = "tdls/handleLines"


def register(features: Methods, lanes: Lanes, recordings: Recordings) -> None:
    """Answer which lines of a state a handle stands for."""

    @features.feature(METHOD)
    async def handle_lines(params: Any) -> dict[str, Any]:
        """Return the lines, from 0, of the handle number `handle` of `uri` in `params`."""
        document, number = state_document(params), number_in(params, "handle")
        try:
            kept = recordings.of_document(document)
            await recordings.ask(kept, [document.passing])
        except NoRecordingError as error:
            return problem(error)
        handle = handle_in(kept.recording, document.passing, number)
        text, catalogue = kept.recording.text(document.passing), kept.planned.request.script.catalogue
        return await lanes.submit(Lane(), lambda: _answer(handle, text or "", catalogue))


def _answer(handle: HandleState, text: str, catalogue: Catalogue) -> dict[str, Any]:
    """Return the lines of all operations that are called as those of the handle, which has them all if it is exact."""
    contents = handle.contents
    if contents is None or handle.kind is HandleKind.PARAMETERS:
        return {"lines": [], "isExact": False}
    found = [(name, line) for name, line in _operations(text, catalogue) if name in contents.names]
    is_exact = Counter(name for name, _ in found) == Counter(contents.names) and handle.kind is HandleKind.OPERATIONS
    return {"lines": [line for _, line in found], "isExact": is_exact and handle.is_current}


def _operations(text: str, catalogue: Catalogue) -> Iterator[tuple[str, int]]:
    """Yield the names of all operations of a payload, and the lines on which they begin."""
    file = SourceFile.of(text, catalogue)
    for context in file.contexts:
        for outer in context.model.operations:
            for operation in outer.walk():
                yield operation.name, file.position(context.to_file(operation.span).start).line
