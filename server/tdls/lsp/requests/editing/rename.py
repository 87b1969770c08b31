"""``textDocument/rename`` and ``textDocument/prepareRename``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tdls.ide.renaming.new_name import RenameError
from tdls.ide.renaming.rename import prepare_rename, rename
from tdls.lsp.answers.workspace_edit import to_workspace_edit
from tdls.lsp.protocol.positions import to_range

if TYPE_CHECKING:
    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Session


def register(features: Features, session: Session, editor: Editor) -> None:
    """Give values, blocks, symbols and aliases other names."""

    @features.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def text_document_prepare_rename(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        """Return what can be renamed at the position, and its name; None where nothing can."""
        cursor = session.cursor(params)
        found = prepare_rename(cursor.snapshot, cursor.uri, cursor.offset) if cursor is not None else None
        if cursor is None or found is None:
            return None
        return types.PrepareRenamePlaceholder(to_range(cursor.file, found.span, session.encoding), found.name)

    @features.feature(types.TEXT_DOCUMENT_RENAME)
    def text_document_rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        """Return the edits that give it the new name; raises where that name is not possible."""
        cursor = session.settled_cursor(params)
        if cursor is None:
            return None
        try:
            edits = rename(cursor.snapshot, cursor.uri, cursor.offset, params.new_name)
        except RenameError as error:
            raise JsonRpcException(str(error), types.LSPErrorCodes.RequestFailed) from error
        return to_workspace_edit(session, cursor.snapshot.files, edits, editor.capabilities)
