"""``textDocument/references``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.navigation.references import references

if TYPE_CHECKING:
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session


def register(features: Features, session: Session) -> None:
    """Answer where values, blocks, symbols and aliases are named."""

    @features.feature(types.TEXT_DOCUMENT_REFERENCES)
    def text_document_references(params: types.ReferenceParams) -> list[types.Location]:
        """Return where what stands at the position is named, with its definition if that is asked for."""
        cursor = session.settled_cursor(params)
        if cursor is None:
            return []
        with_definition = params.context.include_declaration
        found = references(cursor.snapshot, cursor.uri, cursor.offset, include_definition=with_definition)
        return [session.location(location) for location in found]
