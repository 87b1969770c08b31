"""``textDocument/references``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.navigation.references import references

if TYPE_CHECKING:
    from tdls.lsp.server import TdlsServer


def register(server: TdlsServer) -> None:
    """Answer where values, blocks, symbols and aliases are named."""

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def text_document_references(params: types.ReferenceParams) -> list[types.Location]:
        cursor = server.session.cursor(params)
        if cursor is None:
            return []
        with_definition = params.context.include_declaration
        found = references(cursor.snapshot, cursor.uri, cursor.offset, include_definition=with_definition)
        return [server.session.location(location) for location in found]
