"""``textDocument/implementation``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.cursor.source_places import places_of_implementation
from tdls.ide.navigation.implementation import implementation
from tdls.ide.runs.correspondence import of_place
from tdls.lsp.protocol.location_links import claims_of, to_answer
from tdls.lsp.runs.shown import line_location, transformed_payloads

if TYPE_CHECKING:
    from tdls.lsp.protocol.location_links import Answer
    from tdls.lsp.server import TdlsServer
    from tdls.lsp.session import Cursor


def register(server: TdlsServer) -> None:
    """Answer where declared and called named sequences have their bodies, and a project's operations their C++.

    Where there is neither, the answer is what became of the payload in a run.
    """

    @server.feature(types.TEXT_DOCUMENT_IMPLEMENTATION)
    def text_document_implementation(params: types.ImplementationParams) -> Answer:
        cursor = server.session.cursor(params)
        if cursor is None:
            return []
        found = implementation(cursor.snapshot, cursor.uri, cursor.offset)
        places = places_of_implementation(cursor.snapshot, cursor.uri, cursor.offset)
        if not found and not places:
            return _after_run(server, cursor)
        return to_answer(server, cursor, found, claims_of(server).implementation, places)


def _after_run(server: TdlsServer, cursor: Cursor) -> list[types.Location]:
    """Return the lines of transformed payloads that came from the line at the cursor."""
    shown = transformed_payloads(server)
    lines = of_place(cursor.snapshot, shown, cursor.uri, cursor.offset).after if shown else ()
    return [line_location(server, shown, line) for line in lines]
