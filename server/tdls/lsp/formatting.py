"""``textDocument/formatting`` and ``textDocument/rangeFormatting``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.ide.formatting import document_formatting, range_formatting
from tdls.lsp.convert import to_span, to_text_edit
from tdls.lsp.slices import in_slices

if TYPE_CHECKING:
    from tdls.lsp.server import TdlsServer


def register(server: TdlsServer) -> None:
    """Put white space right; of the editor's options only the width of tabs that are there already counts."""

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def text_document_formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        session = server.session
        uri = params.text_document.uri
        file = session.file(uri)
        if file is None:
            return []
        work = document_formatting(session.snapshot(), uri, tab_size=_tab_size(params.options))
        edits = await in_slices(work, session.text_watch(uri))
        return [to_text_edit(file, edit, session.encoding) for edit in edits]

    @server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    def text_document_range_formatting(params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
        session = server.session
        uri = params.text_document.uri
        file = session.file(uri)
        if file is None:
            return []
        span = to_span(file, params.range, session.encoding)
        edits = range_formatting(session.snapshot(), uri, span, tab_size=_tab_size(params.options))
        return [to_text_edit(file, edit, session.encoding) for edit in edits]


def _tab_size(options: types.FormattingOptions) -> int:
    return max(options.tab_size, 1)
