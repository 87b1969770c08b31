"""``textDocument/implementation``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.implementation import implementation
from tdls.lsp.location_links import claims_of, to_answer

if TYPE_CHECKING:
    from tdls.lsp.location_links import Answer
    from tdls.lsp.server import TdlsServer


def register(server: TdlsServer) -> None:
    """Answer where declared and called named sequences have their bodies."""

    @server.feature(types.TEXT_DOCUMENT_IMPLEMENTATION)
    def text_document_implementation(params: types.ImplementationParams) -> Answer:
        cursor = server.session.cursor(params)
        found = implementation(cursor.snapshot, cursor.uri, cursor.offset) if cursor is not None else []
        return to_answer(server, cursor, found, claims_of(server).implementation)
