"""``textDocument/formatting``, ``textDocument/rangeFormatting``, ``textDocument/rename`` and its preparation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tdls.lsp.answers.locations import to_workspace_edit
from tdls.lsp.protocol.conversions import to_range, to_span, to_text_edit
from tdls.lsp.session.document_queue import in_steps

if TYPE_CHECKING:
    from tdls.limits import Limit
    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.state import State


def register(host: Host, state: State) -> None:
    """Answer with edits that format or rename; of the editor's options only the tab size is used, for existing tabs."""

    @host.feature(types.TEXT_DOCUMENT_FORMATTING)
    def text_document_formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        """Return the edits that format a document. Raises JsonRpcException if it is too large."""
        uri = params.text_document.uri
        file = state.file(uri)
        if file is None or file.program is not None:
            return []
        from tdls.ide.formatting.formatter import Options
        from tdls.ide.formatting.formatting import format_in_steps, formatting_limit

        file = file.uncut
        _refuse_beyond(formatting_limit(file))
        options = Options(_tab_size(params.options), state.configuration.settings(uri).format.width)
        return [to_text_edit(file, edit, state.encoding) for edit in in_steps(format_in_steps(file, options))]

    @host.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    def text_document_range_formatting(params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
        """Return the edits that format a range. Raises JsonRpcException if it is too large."""
        uri = params.text_document.uri
        file = state.file(uri)
        if file is None or file.program is not None:
            return []
        file = file.uncut
        span = to_span(file, params.range, state.encoding)
        from tdls.ide.formatting.formatting import format_range, formatting_limit

        _refuse_beyond(formatting_limit(file, span))
        width = state.configuration.settings(uri).format.width
        edits = format_range(file, span, tab_size=_tab_size(params.options), width=width)
        return [to_text_edit(file, edit, state.encoding) for edit in edits]

    @host.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def text_document_prepare_rename(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        """Return the range and name of the entity at the position, or None if it cannot be renamed."""
        from tdls.ide.changes.rename import prepare_rename

        cursor = state.cursor(params)
        entity = prepare_rename(cursor.snapshot, cursor.uri, cursor.offset) if cursor is not None else None
        if cursor is None or entity is None:
            return None
        return types.PrepareRenamePlaceholder(to_range(cursor.file, entity.span, state.encoding), entity.name)

    @host.feature(types.TEXT_DOCUMENT_RENAME)
    def text_document_rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        """Return the edits for the new name. Raises JsonRpcException if that name is not possible."""
        cursor = state.settled_cursor(params)
        if cursor is None:
            return None
        from tdls.ide.changes.rename import RenameError, rename

        try:
            edits = rename(cursor.snapshot, cursor.uri, cursor.offset, params.new_name)
        except RenameError as error:
            raise JsonRpcException(str(error), types.LSPErrorCodes.RequestFailed) from error
        return to_workspace_edit(state, cursor.snapshot.files, edits)


def _refuse_beyond(limit: Limit | None) -> None:
    if limit is not None:
        raise JsonRpcException(
            f"this is too large to be formatted in an editor ({limit})", types.LSPErrorCodes.RequestFailed
        )


def _tab_size(options: types.FormattingOptions) -> int:
    return max(options.tab_size, 1)
