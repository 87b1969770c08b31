"""Opening, changing and closing documents, and what follows from that."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from tdls.analysis.source_file import SourceFile
from tdls.lsp.diagnostics import DiagnosticsQueue
from tdls.lsp.documents import Document

if TYPE_CHECKING:
    from lsprotocol import types

    from tdls.lsp.server import TdlsServer

_LOGGER = logging.getLogger(__name__)


class DocumentSync:
    """Keeps the session's documents as the editor has them. Wrong versions and unknown documents are survived."""

    def __init__(self, server: TdlsServer) -> None:
        self._server = server
        self.diagnostics = DiagnosticsQueue(server)
        self._tasks: set[asyncio.Task[None]] = set()
        """Kept alive until they are done."""

    def open(self, item: types.TextDocumentItem) -> None:
        """Begin to follow a document."""
        session = self._server.session
        file = SourceFile.of(item.text, session.catalogue)
        session.documents[item.uri] = Document.opened(item, file)
        self.diagnostics.document_changed(item.uri)

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Apply edits; such of a version that is not newer than the present one are ignored."""
        session = self._server.session
        document = session.documents.get(params.text_document.uri)
        if document is None:
            _LOGGER.warning("change of a document that is not open: %s", params.text_document.uri)
            return
        if params.text_document.version <= document.version:
            _LOGGER.warning("change of %s is older than the document, ignored", params.text_document.uri)
            return
        document.change(params.text_document.version, params.content_changes, session.encoding)
        self.diagnostics.document_changed(document.uri)

    def close(self, uri: str) -> None:
        """Stop to follow a document."""
        if self._server.session.documents.pop(uri, None) is not None:
            self.diagnostics.document_closed(uri)
            task = asyncio.get_running_loop().create_task(self._server.workspace_files.read_again(uri))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def files_changed(self) -> None:
        """Check open documents again, since files of the workspace are no longer what they were."""
        self.diagnostics.recheck_all()
