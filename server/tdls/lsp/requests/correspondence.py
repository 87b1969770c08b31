"""``tdls/correspondence``: handles and payload operations that correspond to a position in a script or payload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tdls.ide.runs.correspondence import of_place
from tdls.lsp.protocol.conversions import text_document_position, to_offset, to_range
from tdls.lsp.runs.shown import line_location, source_location, transformed_payloads

if TYPE_CHECKING:
    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.session.session import Session
    from tdls.lsp.state import State

METHOD = "tdls/correspondence"


def register(host: Host, state: State) -> None:
    """Answer with the corresponding places of a handle, or of an operation before or after a run, in the last runs."""

    @host.feature(METHOD)
    def correspondence(params: Any) -> dict[str, list[types.Location]]:
        """Return the handles, source lines and lines after a run that correspond to the position in `params`.

        The answer includes the lines built by a call in a program, or the calls that built the operation there.

        Lines after a run are those of operations with the same origins and names.
        """
        place = text_document_position(params)
        cursor, built = state.cursor(place), _built(state, place)
        if cursor is None:
            return {"handles": [], "source": [], "after": [], "built": built}
        shown = transformed_payloads(state.runs, state.run_views)
        counterparts = of_place(cursor.snapshot, shown, cursor.uri, cursor.offset)
        source = (source_location(cursor.snapshot, place, state.encoding) for place in counterparts.source)
        return {
            "handles": [state.location(handle) for handle in counterparts.handles],
            "source": [place for place in source if place is not None],
            "after": [line_location(shown, line, state.encoding) for line in counterparts.after],
            "built": built,
        }


def _built(session: Session, place: types.TextDocumentPositionParams) -> list[types.Location]:
    """Return the calls in programs that built the operation at a place, or the lines that the call at a place built."""
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
