"""Opening, changing and closing documents, and what follows from that."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from tdls.analysis.source_file import SourceFile
from tdls.lsp.diagnostics import DiagnosticsQueue
from tdls.lsp.documents import Document
from tdls.lsp.refresh import Refresher

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lsprotocol import types

    from tdls.lsp.server import TdlsServer

_LOGGER = logging.getLogger(__name__)


class DocumentSync:
    """Keeps the session's documents as the editor has them. Wrong versions and unknown documents are survived."""

    def __init__(self, server: TdlsServer) -> None:
        self._server = server
        self.diagnostics = DiagnosticsQueue(server)
        self._refresher = Refresher(server)
        self._tasks: set[asyncio.Task[None]] = set()
        """Kept alive until they are done."""

    def open(self, item: types.TextDocumentItem) -> None:
        """Begin to follow a document."""
        server = self._server
        file = SourceFile.of(item.text, server.configuration.catalogue(item.uri))
        libraries = server.libraries.of(item.uri, file)
        server.session.documents[item.uri] = Document.opened(item, file.with_libraries(libraries))
        self.diagnostics.document_changed(item.uri)
        self._library_changed(item.uri)

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
        edited = session.marks.edited
        if document.change(params.text_document.version, params.content_changes, session.encoding, edited):
            document.use_libraries(self._server.libraries.of(document.uri, document.file))
        self.diagnostics.document_changed(document.uri)
        self._library_changed(document.uri)
        self._server.runs.text_changed(document.uri)

    def close(self, uri: str) -> None:
        """Stop to follow a document."""
        self._server.libraries.forget(uri)
        self._server.run_views.closed(uri)
        if self._server.session.documents.pop(uri, None) is not None:
            self._server.session.marks.drop(uri)
            self.diagnostics.document_closed(uri)
            task = asyncio.get_running_loop().create_task(self._server.workspace_files.read_again(uri))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def files_changed(self) -> None:
        """Look for libraries again, since files on disk are no longer what they were."""
        for document in self._server.session.documents.values():
            self._renew_libraries(document)
        self._refresher.refresh_soon()

    def settings_changed(self) -> None:
        """Check open documents by the settings that hold now."""
        server = self._server
        for document in server.session.documents.values():
            catalogue = server.configuration.catalogue(document.uri)
            if catalogue is not document.file.catalogue:
                document.use_file(SourceFile.of(document.file.text, catalogue))
            document.use_libraries(server.libraries.of(document.uri, document.file))
            self.diagnostics.document_changed(document.uri)
        self._refresher.refresh_soon()

    def marks_changed(self, uris: Iterable[str]) -> None:
        """Show what runs say about files now."""
        for uri in uris:
            self.diagnostics.marks_changed(uri)
        self._refresher.refresh_soon()

    def _library_changed(self, uri: str) -> None:
        """Let the documents that use a document as library see its present version."""
        for user in self._server.libraries.users_of(uri):
            document = self._server.session.documents.get(user)
            if document is not None:
                self._renew_libraries(document)

    def _renew_libraries(self, document: Document) -> None:
        if document.use_libraries(self._server.libraries.of(document.uri, document.file)):
            self.diagnostics.document_changed(document.uri)
            self._refresher.refresh_soon()
