"""``textDocument/typeDefinition``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.type_definition import type_definition

if TYPE_CHECKING:
    from tdls.lsp.server import TdlsServer


def register(server: TdlsServer) -> None:
    """Answer where the aliases are defined that spell a value's type."""

    @server.feature(types.TEXT_DOCUMENT_TYPE_DEFINITION)
    def text_document_type_definition(params: types.TypeDefinitionParams) -> list[types.Location]:
        cursor = server.session.cursor(params)
        found = type_definition(cursor.snapshot, cursor.uri, cursor.offset) if cursor is not None else []
        return [server.session.location(location) for location in found]
