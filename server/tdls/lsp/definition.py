"""``textDocument/definition``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.definition import definition
from tdls.lsp.location_links import claims_of, to_answer

if TYPE_CHECKING:
    from tdls.lsp.location_links import Answer
    from tdls.lsp.server import TdlsServer


def register(server: TdlsServer) -> None:
    """Answer where values, blocks, symbols and aliases are defined."""

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def text_document_definition(params: types.DefinitionParams) -> Answer:
        cursor = server.session.cursor(params)
        found = definition(cursor.snapshot, cursor.uri, cursor.offset) if cursor is not None else []
        return to_answer(server, cursor, found, claims_of(server).definition)
