"""Open, change and close documents, and update their libraries, diagnostics and dependent documents.

Notifications are handled in the event loop's thread, texts are parsed and edited in the documents' queues.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.analysis.file.source_file import SourceFile
from tdls.limits import EDITED_OPERATION
from tdls.lsp.session.document import Document, OpenDocument
from tdls.lsp.session.document_queue import DocumentQueue
from tdls.lsp.session.requests import refuse
from tdls.lsp.session.session import Kind
from tdls.project.payload import looks_for_payload
from tdls.syntax.sections.boundaries import SplitMode

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.lsp.documents.diagnostics import DiagnosticsQueue
    from tdls.lsp.documents.libraries import Libraries
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.projects import Projects

_WAIT = 0.1
"""Seconds to collect changes before refresh requests: files often change together."""


class Refresher:
    """Sends the refresh requests that the editor supports."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._timer: asyncio.TimerHandle | None = None
        session.follow(Kind.MARKS, self.refresh_soon)

    def refresh_soon(self, _: str = "") -> None:
        """Ask the editor soon to request semantic tokens, inlay hints and code lenses again."""
        if self._timer is None and self._session.documents:
            self._timer = asyncio.get_running_loop().call_later(_WAIT, self._refresh)

    def _refresh(self) -> None:
        self._timer = None
        editor = self._session.editor
        workspace = editor.capabilities.workspace
        if workspace is None:
            return
        for claimed, method in (
            (workspace.semantic_tokens, types.WORKSPACE_SEMANTIC_TOKENS_REFRESH),
            (workspace.inlay_hint, types.WORKSPACE_INLAY_HINT_REFRESH),
            (workspace.code_lens, types.WORKSPACE_CODE_LENS_REFRESH),
        ):
            if claimed is not None and claimed.refresh_support:
                editor.refresh(method)


_LOGGER = logging.getLogger(__name__)
_PYTHON = "python"
"""LSP language identifier of programs that may contain scripts in strings."""
_LARGE = 50_000
"""Size in code points from which a document has a thread of its own from the beginning."""


class DocumentSync:
    """Keeps the session's documents in sync with the editor. Edits of old versions or unknown documents are ignored."""

    def __init__(
        self, session: Session, projects: Projects, libraries: Libraries, diagnostics: DiagnosticsQueue
    ) -> None:
        self._session = session
        self._documents = session.open_documents
        self._queues = session.queues
        self._projects = projects
        self._libraries = libraries
        self._diagnostics = diagnostics
        self._refresher = Refresher(session)
        self._storing = threading.Lock()
        """Held while storing a document that was read, if it is still open, and while dropping one."""
        session.follow(Kind.SETTINGS, self.settings_changed)
        session.follow(Kind.DEFINITIONS, self.settings_changed)
        session.follow(Kind.FILES, self._files_changed)
        session.follow(Kind.INPUTS, self._inputs_changed)

    # Notifications; in the event loop's thread

    def open(self, item: types.TextDocumentItem) -> None:
        """Add an opened document, and read it in its queue."""
        before = self._documents.get(item.uri)
        if before is not None:
            self._drop(before)
        opened = OpenDocument(item.uri, item.version, DocumentQueue(apart=len(item.text) > _LARGE))
        self._documents.add(opened)
        read = self._work(opened, partial(self._read, opened, item))
        read.add_done_callback(lambda _: self._session.changed(opened.uri, Kind.READ))

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Apply edits in the document's queue; edits that do not lead to a newer version are ignored."""
        opened = self._documents.get(params.text_document.uri)
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
        edit.add_done_callback(lambda _: self._session.changed(opened.uri, Kind.EDITED))

    def close(self, uri: str) -> None:
        """Remove a closed document with its marks and diagnostics, and use the file on disk where others need it."""
        opened = self._documents.remove(uri)
        if opened is None:
            return
        self._drop(opened)
        self._session.marks.drop(uri)
        self._session.changed(uri, Kind.CLOSED).add_done_callback(lambda _: self._reread(uri))

    def _reread(self, uri: str) -> None:
        """Update the documents that use a closed one as library or payload to the file on disk."""
        for user in self._libraries.users_of(uri):
            self._inputs_changed(user)

    def _files_changed(self, _: str) -> None:
        """Update the libraries and payloads of all documents after files on disk have changed."""
        for opened in self._documents:
            renewed = self._queues.start(opened.queue, partial(self._renew_libraries, opened))
            renewed.add_done_callback(partial(lambda uri, _: self._diagnostics.files_changed(uri), opened.uri))
        self._refresher.refresh_soon()

    def _inputs_changed(self, uri: str) -> None:
        """Check an open document with the present versions of its libraries and payload."""
        opened = self._documents.get(uri)
        if opened is not None:
            self._queues.start(opened.queue, partial(self._renew_libraries, opened))

    def settings_changed(self, _: str = "") -> None:
        """Check all open documents with the present settings and catalogues."""
        for opened in self._documents:
            self._diagnostics.grounds_changing(opened.uri)
            self._work(opened, partial(self._use_settings, opened))
        self._refresher.refresh_soon()

    def _work(self, opened: OpenDocument, function: Callable[[], object]) -> asyncio.Future[object]:
        """Make another version of a document by calling `function` in its queue, and check it then."""
        self._diagnostics.document_changing(opened.uri)
        work = self._queues.start(opened.queue, function)
        opened.edits.add(work)
        work.add_done_callback(opened.edits.discard)
        work.add_done_callback(lambda _: self._changed(opened))
        return work

    def _changed(self, opened: OpenDocument) -> None:
        if self._documents.get(opened.uri) is opened:
            self._diagnostics.document_changed(opened.uri)

    def _drop(self, opened: OpenDocument) -> None:
        """Drop a document; its pending requests are refused, and pending work has no effect."""
        for answer in list(opened.pending):
            refuse(answer, "the document was closed")
        with self._storing:
            document, opened.document = opened.document, None
            if document is not None and self._session.documents.get(opened.uri) is document:
                del self._session.documents[opened.uri]

    def _libraries_renewed(self, uri: str) -> None:
        self._diagnostics.grounds_changing(uri)
        self._diagnostics.document_changed(uri)
        self._refresher.refresh_soon()

    # Work; in the documents' queues

    def _read(self, opened: OpenDocument, item: types.TextDocumentItem) -> None:
        if self._documents.get(item.uri) is not opened:
            return
        split = SplitMode.PYTHON if item.language_id == _PYTHON else SplitMode.AUTO
        file = SourceFile.of(item.text, self._projects.catalogue(item.uri), split=split, most=EDITED_OPERATION)
        document = Document.opened(item, self._libraries.of(item.uri, file).added_to(file))
        with self._storing:
            if self._documents.get(item.uri) is not opened:
                return
            self._session.documents[item.uri] = opened.document = document
        self._library_changed(item.uri)

    def _edit(self, opened: OpenDocument, params: types.DidChangeTextDocumentParams) -> None:
        session, document = self._session, opened.document
        if document is None:
            return
        edited, had_matchers = session.marks.edited, looks_for_payload(document.file)
        may_differ = document.change(params.text_document.version, params.content_changes, session.encoding, edited)
        if may_differ or looks_for_payload(document.file) is not had_matchers:
            self._use_files(document)
        self._library_changed(document.uri)

    def _use_settings(self, opened: OpenDocument) -> None:
        document = opened.document
        if document is None:
            return
        catalogue = self._projects.catalogue(document.uri)
        if catalogue is not document.file.catalogue:
            document.use_file(document.file.with_catalogue(catalogue))
            self._library_changed(document.uri)
        self._use_files(document)

    def _use_files(self, document: Document) -> bool:
        """Update the libraries and payload of a document; return False if they are unchanged."""
        return document.use_files(*self._libraries.of(document.uri, document.file))

    def _library_changed(self, uri: str) -> None:
        """Update documents that use this one as library or payload to its present version."""
        for user in self._libraries.users_of(uri):
            opened = self._documents.get(user)
            if opened is not None:
                self._queues.within(opened.queue, partial(self._renew_libraries, opened))

    def _renew_libraries(self, opened: OpenDocument) -> None:
        document = opened.document
        if document is not None and self._use_files(document):
            self._queues.on_loop(self._libraries_renewed, document.uri)
