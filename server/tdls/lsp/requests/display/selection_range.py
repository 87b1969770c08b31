"""``textDocument/selectionRange``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.display.selection_range import selection_ranges
from tdls.lsp.protocol.positions import to_offset, to_range

if TYPE_CHECKING:
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session


def register(features: Features, session: Session) -> None:
    """Answer how selections grow."""

    @features.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)
    def text_document_selection_range(params: types.SelectionRangeParams) -> list[types.SelectionRange]:
        """Return for each position the ranges around it, from the innermost on."""
        uri = params.text_document.uri
        return [_selection_range(session, uri, position) for position in params.positions]


def _selection_range(session: Session, uri: str, position: types.Position) -> types.SelectionRange:
    """Return the smallest selection at `position`, linked to those around it; an empty one in an unknown document."""
    file = session.file(uri)
    selection: types.SelectionRange | None = None
    offset = to_offset(file, position, session.encoding) if file is not None else 0
    if file is not None and file.holds_script_at(offset):
        for span in reversed(selection_ranges(session.snapshot(), uri, offset)):
            selection = types.SelectionRange(to_range(file, span, session.encoding), selection)
    return selection or types.SelectionRange(types.Range(position, position))
