"""``textDocument/foldingRange`` and ``textDocument/selectionRange``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.folding_range import FoldingKind, folding_ranges, read_folds
from tdls.ide.selection_range import selection_ranges
from tdls.lsp.protocol.conversions import to_offset, to_range
from tdls.lsp.session.document_queue import in_steps

if TYPE_CHECKING:
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session
    from tdls.lsp.state import State

_KINDS = {
    FoldingKind.CODE: None,
    FoldingKind.COMMENT: types.FoldingRangeKind.Comment,
    FoldingKind.PART: types.FoldingRangeKind.Region,
}


def register(features: Features, state: State) -> None:
    """Answer with folding ranges and nested selection ranges."""
    _register_folding_range(features, state)
    _register_selection_range(features, state)


def _register_folding_range(features: Features, state: State) -> None:
    @features.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def text_document_folding_range(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        """Return the foldable ranges of lines of a document."""
        uri = params.text_document.uri
        file = state.file(uri)
        if file is not None:
            in_steps(read_folds(file))
        folds = folding_ranges(state.snapshot(), uri)
        return [types.FoldingRange(fold.first, fold.last, kind=_KINDS[fold.kind]) for fold in folds]


def _register_selection_range(features: Features, state: State) -> None:
    @features.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)
    def text_document_selection_range(params: types.SelectionRangeParams) -> list[types.SelectionRange]:
        """Return the ranges around each position, innermost first."""
        uri = params.text_document.uri
        return [_selection_range(state, uri, position) for position in params.positions]


def _selection_range(session: Session, uri: str, position: types.Position) -> types.SelectionRange:
    """Return the smallest range at `position`, linked to those around it; an empty one in an unknown document."""
    file = session.file(uri)
    selection: types.SelectionRange | None = None
    offset = to_offset(file, position, session.encoding) if file is not None else 0
    if file is not None and file.holds_script_at(offset):
        for span in reversed(selection_ranges(session.snapshot(), uri, offset)):
            selection = types.SelectionRange(to_range(file, span, session.encoding), selection)
    return selection or types.SelectionRange(types.Range(position, position))
