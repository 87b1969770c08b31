"""``textDocument/formatting`` and ``textDocument/rangeFormatting``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tdls.ide.formatting.formatting import document_formatting, formatting_limit, range_formatting
from tdls.lsp.protocol.positions import to_span, to_text_edit
from tdls.lsp.session.lanes import in_steps

if TYPE_CHECKING:
    from tdls.limits import Limit
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session


def register(features: Features, session: Session) -> None:
    """Put white space right; of the editor's options only the width of tabs that are there already counts."""

    @features.feature(types.TEXT_DOCUMENT_FORMATTING)
    def text_document_formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        """Return the edits that put white space right in a document. Refuses those that are too large."""
        uri = params.text_document.uri
        file = session.file(uri)
        if file is None or file.program is not None:
            return []
        _refuse_beyond(formatting_limit(file))
        work = document_formatting(session.snapshot(), uri, tab_size=_tab_size(params.options))
        return [to_text_edit(file, edit, session.encoding) for edit in in_steps(work)]

    @features.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    def text_document_range_formatting(params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
        """Return the edits that put white space right in a range. Refuses those that are too large."""
        uri = params.text_document.uri
        file = session.file(uri)
        if file is None or file.program is not None:
            return []
        span = to_span(file, params.range, session.encoding)
        _refuse_beyond(formatting_limit(file, span))
        edits = range_formatting(session.snapshot(), uri, span, tab_size=_tab_size(params.options))
        return [to_text_edit(file, edit, session.encoding) for edit in edits]


def _refuse_beyond(limit: Limit | None) -> None:
    if limit is not None:
        raise JsonRpcException(
            f"this is too large to be formatted in an editor ({limit}): use `tdls format`",
            types.LSPErrorCodes.RequestFailed,
        )


def _tab_size(options: types.FormattingOptions) -> int:
    return max(options.tab_size, 1)
