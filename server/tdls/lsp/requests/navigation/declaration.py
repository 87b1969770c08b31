"""``textDocument/declaration``: from a transformed payload to what it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.runs.correspondence import of_place
from tdls.lsp.runs.shown import source_location, transformed_payloads

if TYPE_CHECKING:
    from tdls.lsp.server import TdlsServer


def register(server: TdlsServer) -> None:
    """Answer where the operation came from that a line of a transformed payload holds."""

    @server.feature(types.TEXT_DOCUMENT_DECLARATION)
    def text_document_declaration(params: types.DeclarationParams) -> list[types.Location]:
        cursor = server.session.cursor(params)
        if cursor is None or server.run_views.document(cursor.uri) is None:
            return []
        found = of_place(cursor.snapshot, transformed_payloads(server), cursor.uri, cursor.offset)
        places = (source_location(server, cursor.snapshot, place) for place in found.source)
        return [place for place in places if place is not None]
