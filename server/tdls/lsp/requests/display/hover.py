"""``textDocument/hover``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.hover.hover import hover
from tdls.lsp.protocol.positions import to_range

if TYPE_CHECKING:
    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session


def register(features: Features, session: Session, editor: Editor) -> None:
    """Answer what is known of the thing at the cursor."""

    @features.feature(types.TEXT_DOCUMENT_HOVER)
    def text_document_hover(params: types.HoverParams) -> types.Hover | None:
        """Return what is known of what stands at the position; None where nothing does."""
        cursor = session.cursor(params)
        found = hover(cursor.snapshot, cursor.uri, cursor.offset) if cursor is not None else None
        if cursor is None or found is None:
            return None
        content = types.MarkupContent(_kind(editor.capabilities), found.markdown)
        return types.Hover(content, to_range(cursor.file, found.span, session.encoding))


def _kind(capabilities: types.ClientCapabilities) -> types.MarkupKind:
    """Return Markdown, which reads well as plain text, too, unless the editor says that it cannot show it."""
    document = capabilities.text_document
    claimed = document.hover.content_format if document is not None and document.hover is not None else None
    return types.MarkupKind.Markdown if not claimed or types.MarkupKind.Markdown in claimed else claimed[0]
