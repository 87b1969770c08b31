"""Edits of several files as the protocol has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.lsp.protocol.positions import to_text_edit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tdls.lsp.session.session import Session
    from tdls.text.diagnostic import TextEdit


def to_workspace_edit(
    session: Session, edits: Mapping[str, Sequence[TextEdit]], capabilities: types.ClientCapabilities
) -> types.WorkspaceEdit:
    """Return edits by URI, of files that are known; with the documents' versions if the editor understands that."""
    converted = {
        uri: [to_text_edit(file, edit, session.encoding) for edit in changes]
        for uri, changes in edits.items()
        if (file := session.file(uri)) is not None
    }
    if not _knows_versions(capabilities):
        return types.WorkspaceEdit(changes=converted)
    versioned = [types.TextDocumentEdit(_identifier(session, uri), changes) for uri, changes in converted.items()]
    return types.WorkspaceEdit(document_changes=versioned)


def _identifier(session: Session, uri: str) -> types.OptionalVersionedTextDocumentIdentifier:
    document = session.documents.get(uri)
    return types.OptionalVersionedTextDocumentIdentifier(uri, document.version if document is not None else None)


def _knows_versions(capabilities: types.ClientCapabilities) -> bool:
    workspace = capabilities.workspace
    claimed = workspace.workspace_edit if workspace is not None else None
    return bool(claimed is not None and claimed.document_changes)
