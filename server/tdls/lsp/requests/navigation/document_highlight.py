"""``textDocument/documentHighlight``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.cursor.occurrences import Role
from tdls.ide.navigation.document_highlight import document_highlight
from tdls.lsp.protocol.positions import to_range

if TYPE_CHECKING:
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session

_KINDS = {
    Role.DEFINITION: types.DocumentHighlightKind.Write,
    Role.CONSUMPTION: types.DocumentHighlightKind.Write,
    Role.USE: types.DocumentHighlightKind.Read,
}
"""Consuming a handle changes what it stands for, as writing a variable does."""


def register(features: Features, session: Session) -> None:
    """Answer where the thing at the cursor is named in its document."""

    @features.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def text_document_document_highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        """Return where in the document what stands at the position is named, and in which role."""
        cursor = session.cursor(params)
        if cursor is None:
            return []
        found = document_highlight(cursor.snapshot, cursor.uri, cursor.offset)
        encoding = session.encoding
        return [types.DocumentHighlight(to_range(cursor.file, span, encoding), _KINDS[role]) for span, role in found]
