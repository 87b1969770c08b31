"""``textDocument/foldingRange``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.display.folding_range import FoldingKind, folding_ranges, read_folds
from tdls.lsp.session.lanes import in_steps

if TYPE_CHECKING:
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session

_KINDS = {
    FoldingKind.CODE: None,
    FoldingKind.COMMENT: types.FoldingRangeKind.Comment,
    FoldingKind.PART: types.FoldingRangeKind.Region,
}


def register(features: Features, session: Session) -> None:
    """Answer which lines can be hidden."""

    @features.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def text_document_folding_range(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        """Return the ranges of lines of a document that can be hidden."""
        uri = params.text_document.uri
        file = session.file(uri)
        if file is not None:
            in_steps(read_folds(file))
        found = folding_ranges(session.snapshot(), uri)
        return [types.FoldingRange(fold.first, fold.last, kind=_KINDS[fold.kind]) for fold in found]
