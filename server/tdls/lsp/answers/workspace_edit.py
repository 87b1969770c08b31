"""Edits of several files as the protocol has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.lsp.protocol.errors import ContentModified
from tdls.lsp.protocol.positions import to_text_edit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.lsp.session.session import Session
    from tdls.text.diagnostic import TextEdit


def to_workspace_edit(
    session: Session,
    files: Mapping[str, SourceFile],
    edits: Mapping[str, Sequence[TextEdit]],
    capabilities: types.ClientCapabilities,
) -> types.WorkspaceEdit:
    """Return edits of `files`, by URI; with the documents' versions if the editor understands that.

    Raises ContentModified if one of these files has another text by now: edits of the wrong text would destroy it.
    """
    converted = {uri: [to_text_edit(files[uri], edit, session.encoding) for edit in edits[uri]] for uri in edits}
    versions = {uri: _version(session, uri, files[uri]) for uri in edits}
    if not _knows_versions(capabilities):
        return types.WorkspaceEdit(changes=converted)
    versioned = [
        types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, versions[uri]), changes)
        for uri, changes in converted.items()
    ]
    return types.WorkspaceEdit(document_changes=versioned)


def _version(session: Session, uri: str, file: SourceFile) -> int | None:
    """Return the version of a document that has the text of `file`, None if it is not open.

    The version is looked at first: it changes after the text, so that at worst the editor refuses the edits.
    """
    document = session.documents.get(uri)
    version = document.version if document is not None else None
    present = session.file(uri)
    if present is None or (present.sections is not file.sections and present.text != file.text):
        raise ContentModified("a document that is to be edited changed")
    return version


def _knows_versions(capabilities: types.ClientCapabilities) -> bool:
    workspace = capabilities.workspace
    claimed = workspace.workspace_edit if workspace is not None else None
    return bool(claimed is not None and claimed.document_changes)
