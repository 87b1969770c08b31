"""Opening, changing and closing documents, and what follows from that."""

from __future__ import annotations

import asyncio
import logging
import threading
from functools import partial
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.bounds.limits import EDITED_OPERATION
from tdls.lsp.documents.answering import refuse
from tdls.lsp.documents.diagnostics import DiagnosticsQueue
from tdls.lsp.documents.document import Document, OpenDocument
from tdls.lsp.documents.lanes import Lane
from tdls.lsp.documents.refresh import Refresher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lsprotocol import types

    from tdls.lsp.server import TdlsServer

_LOGGER = logging.getLogger(__name__)
_LARGE = 50_000
"""Code points of a text that is read, edited and asked about apart from others from the beginning."""


class DocumentSync:
    """Keeps the session's documents as the editor has them. Wrong versions and unknown documents are survived."""

    def __init__(self, server: TdlsServer) -> None:
        self._server = server
        self.diagnostics = DiagnosticsQueue(server)
        self._refresher = Refresher(server)
        self._opened: dict[str, OpenDocument] = {}
        self._storing = threading.Lock()
        """Held while it is decided whether a document that was read is still open."""
        self._tasks: set[asyncio.Task[None]] = set()
        """Kept alive until they are done."""

    def opened(self, uri: str) -> OpenDocument | None:
        """Return what is known of an open document, which may still be read or edited; None if it is not open."""
        return self._opened.get(uri)

    def edits_apart(self) -> list[asyncio.Future[object]]:
        """Return what is still to be done until all documents are as the editor has them.

        Those that are quick are when something else gets its turn.
        """
        return [edit for opened in self._opened.values() if opened.lane.worker is not None for edit in opened.edits]

    # What the editor says; in the event loop's thread

    def open(self, item: types.TextDocumentItem) -> None:
        """Begin to follow a document."""
        before = self._opened.get(item.uri)
        if before is not None:
            self._drop(before)
        opened = OpenDocument(item.uri, item.version, Lane(apart=len(item.text) > _LARGE))
        self._opened[item.uri] = opened
        self._work(opened, partial(self._read, opened, item))

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Apply edits; such of a version that is not newer than the present one are ignored."""
        opened = self._opened.get(params.text_document.uri)
        if opened is None:
            _LOGGER.warning("change of a document that is not open: %s", params.text_document.uri)
            return
        if params.text_document.version <= opened.version:
            _LOGGER.warning("change of %s is older than the document, ignored", params.text_document.uri)
            return
        opened.version = params.text_document.version
        for answer in list(opened.of_version):
            refuse(answer)
        edit = self._work(opened, partial(self._edit, opened, params))
        edit.add_done_callback(lambda _: self._server.runs.text_changed(opened.uri))

    def close(self, uri: str) -> None:
        """Stop to follow a document."""
        self._server.libraries.forget(uri)
        self._server.run_views.closed(uri)
        opened = self._opened.pop(uri, None)
        if opened is not None:
            self._drop(opened)
            self._server.session.marks.drop(uri)
            self.diagnostics.document_closed(uri)
            task = asyncio.get_running_loop().create_task(self._server.workspace_files.read_again(uri))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def files_changed(self) -> None:
        """Look for libraries again, since files on disk are no longer what they were."""
        self._server.elsewhere.files_changed()
        for opened in self._opened.values():
            renewed = self._server.lanes.start(opened.lane, partial(self._renew_libraries, opened))
            renewed.add_done_callback(partial(self._looked_for_libraries, opened.uri))
        self._refresher.refresh_soon()

    def settings_changed(self) -> None:
        """Check open documents by the settings that hold now."""
        for opened in self._opened.values():
            self._work(opened, partial(self._use_settings, opened))
        self._refresher.refresh_soon()

    def marks_changed(self, uris: Iterable[str]) -> None:
        """Show what runs say about files now."""
        for uri in uris:
            self.diagnostics.marks_changed(uri)
        self._refresher.refresh_soon()

    def _work(self, opened: OpenDocument, function: Callable[[], object]) -> asyncio.Future[object]:
        """Have another version made of a document, and checked then."""
        self.diagnostics.document_changing(opened.uri)
        work = self._server.lanes.start(opened.lane, function)
        opened.edits.add(work)
        work.add_done_callback(opened.edits.discard)
        work.add_done_callback(lambda _: self._changed(opened))
        return work

    def _changed(self, opened: OpenDocument) -> None:
        if self._opened.get(opened.uri) is opened:
            self.diagnostics.document_changed(opened.uri)

    def _drop(self, opened: OpenDocument) -> None:
        """Forget a document; what is still to be done about it is not done."""
        for answer in list(opened.pending):
            refuse(answer, "the document was closed")
        session = self._server.session
        with self._storing:
            document, opened.document = opened.document, None
            if document is not None and session.documents.get(opened.uri) is document:
                del session.documents[opened.uri]

    def _looked_for_libraries(self, uri: str, _: object) -> None:
        self.diagnostics.files_changed(uri)

    def _libraries_renewed(self, uri: str) -> None:
        self.diagnostics.document_changing(uri)
        self.diagnostics.document_changed(uri)
        self._refresher.refresh_soon()

    # What is done then; in the documents' lanes

    def _read(self, opened: OpenDocument, item: types.TextDocumentItem) -> None:
        server = self._server
        if self._opened.get(item.uri) is not opened:
            return
        file = SourceFile.of(item.text, server.configuration.catalogue(item.uri), most=EDITED_OPERATION)
        libraries = server.libraries.of(item.uri, file)
        document = Document.opened(item, file.with_libraries(libraries))
        with self._storing:
            if self._opened.get(item.uri) is not opened:
                return
            server.session.documents[item.uri] = opened.document = document
        self._library_changed(item.uri)

    def _edit(self, opened: OpenDocument, params: types.DidChangeTextDocumentParams) -> None:
        session, document = self._server.session, opened.document
        if document is None:
            return
        edited = session.marks.edited
        if document.change(params.text_document.version, params.content_changes, session.encoding, edited):
            document.use_libraries(self._server.libraries.of(document.uri, document.file))
        self._library_changed(document.uri)

    def _use_settings(self, opened: OpenDocument) -> None:
        server, document = self._server, opened.document
        if document is None:
            return
        catalogue = server.configuration.catalogue(document.uri)
        if catalogue is not document.file.catalogue:
            document.use_file(SourceFile.of(document.file.text, catalogue, most=EDITED_OPERATION))
        document.use_libraries(server.libraries.of(document.uri, document.file))

    def _library_changed(self, uri: str) -> None:
        """Let the documents that use a document as library see its present version."""
        for user in self._server.libraries.users_of(uri):
            opened = self._opened.get(user)
            if opened is not None:
                self._server.lanes.within(opened.lane, partial(self._renew_libraries, opened))

    def _renew_libraries(self, opened: OpenDocument) -> None:
        document = opened.document
        if document is not None and document.use_libraries(self._server.libraries.of(document.uri, document.file)):
            self._server.lanes.on_loop(self._libraries_renewed, document.uri)
