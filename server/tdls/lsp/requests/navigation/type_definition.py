"""``textDocument/typeDefinition``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.navigation.type_definition import type_definition
from tdls.lsp.protocol.location_links import claims_of, to_answer

if TYPE_CHECKING:
    from tdls.lsp.protocol.location_links import Answer
    from tdls.lsp.server import TdlsServer


def register(server: TdlsServer) -> None:
    """Answer where the aliases are defined that spell a value's type."""

    @server.feature(types.TEXT_DOCUMENT_TYPE_DEFINITION)
    def text_document_type_definition(params: types.TypeDefinitionParams) -> Answer:
        cursor = server.session.cursor(params)
        found = type_definition(cursor.snapshot, cursor.uri, cursor.offset) if cursor is not None else []
        return to_answer(server, cursor, found, claims_of(server).type_definition)
