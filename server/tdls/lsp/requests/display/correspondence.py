"""``tdls/correspondence``: the handles and payload operations that belong to a place of a script or payload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tdls.ide.runs.correspondence import of_place
from tdls.lsp.protocol.custom_parameters import text_document_position
from tdls.lsp.protocol.positions import to_offset, to_range
from tdls.lsp.requests.states.asked_recording import name_of
from tdls.lsp.runs.shown import line_location, source_location, transformed_payloads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.ide.runs.correspondence import DocumentLine
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.runs.held_lines import HeldLines
    from tdls.lsp.runs.runner import Runs
    from tdls.lsp.runs.views import RunViews
    from tdls.lsp.session.session import Session

METHOD = "tdls/correspondence"


def register(features: Features, session: Session, runs: Runs, run_views: RunViews, held_lines: HeldLines) -> None:
    """Answer what the last runs know of a handle, or of an operation before or after a run."""

    @features.feature(METHOD)
    async def correspondence(params: Any) -> dict[str, list[types.Location]]:
        """Return the handles, the lines of the source, and those after a run that go with the position in `params`.

        With them goes what was built at a call of a program, or the calls that built what is there.

        What a handle stands for is marked where recordings know it, or where it cannot be anything else.
        """
        place = text_document_position(params)
        cursor, built = session.cursor(place), _built(session, place)
        if cursor is None:
            return {"handles": [], "source": [], "after": [], "built": built}
        shown = transformed_payloads(runs, run_views)
        found = of_place(cursor.snapshot, shown, cursor.uri, cursor.offset)
        after: Sequence[DocumentLine] = found.after
        if found.is_of_handle and shown:
            [handle] = found.handles
            known = await held_lines.after(name_of(handle.uri), handle.span.start)
            unknown = (line for line in after if line.uri not in known)
            after = [*(line for lines in known.values() for line in lines), *unknown]
        source = (source_location(cursor.snapshot, place, session.encoding) for place in found.source)
        uris = {document.uri for document in shown}
        return {
            "handles": [session.location(handle) for handle in found.handles],
            "source": [place for place in source if place is not None],
            "after": [line_location(shown, line, session.encoding) for line in after if line.uri in uris],
            "built": built,
        }


def _built(session: Session, place: types.TextDocumentPositionParams) -> list[types.Location]:
    """Return the calls of programs that made what is at a place of a script, or what the call at a place made."""
    uri = place.text_document.uri
    file = session.file(uri)
    if file is None:
        return []
    offset = to_offset(file, place.position, session.encoding)
    calls = [session.location(call) for call in session.built.calls_of(uri, offset, session.file)]
    made = session.built.made_at(uri, file, offset) if not calls else None
    if made is None:
        return calls
    lines = (made.script.line_of(operation) for operation in made.operations)
    return [types.Location(made.script.uri, to_range(made.script.file, line, session.encoding)) for line in lines]
