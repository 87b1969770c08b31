"""The documents that show runs: virtual ones if the editor can request their text, otherwise read-only files."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import stat
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.caching.user_cache import private_folder
from tdls.files.writing import write_private
from tdls.lsp.protocol.conversions import path_of
from tdls.lsp.protocol.run_target import RunDocument, View
from tdls.lsp.session.session import Kind
from tdls.payload.abridged import SHORTEST, abridge

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.protocol.run_target import RunTarget, ScheduleDocument
    from tdls.lsp.runs.outcome import Run
    from tdls.lsp.session.session import Session


VIEWS = "tdls/views"
"""Notification about outdated views, for editors with the experimental capability `tdlsViews`."""
_FOLDER = "runs"
_READ_ONLY = stat.S_IRUSR
_LARGE = 1_000_000
"""Minimum length of a text whose weights are left out where it is shown."""


class RunViews:
    """Shows views of runs, and keeps shown ones up to date."""

    def __init__(self, session: Session) -> None:
        self._editor = session.editor
        self._has_short_names = False
        self._named: dict[str, RunDocument] = {}
        """The documents with short names, by URI."""
        self._files: dict[Path, RunDocument] = {}
        """The documents written as files, by path."""
        self._asked_for: set[RunDocument] = set()
        """The virtual documents whose text the editor has requested."""
        session.follow(Kind.BUILT, self._script_built)

    def take(self, options: object) -> None:
        """Read ``short-names`` from the editor's initialization options."""
        own = options.get("tdls", options) if isinstance(options, dict) else None
        self._has_short_names = isinstance(own, dict) and own.get("short-names") is True

    @property
    def are_virtual(self) -> bool:
        """True if the editor supports ``workspace/textDocumentContent``."""
        workspace = self._editor.capabilities.workspace
        return workspace is not None and workspace.text_document_content is not None

    def uri(self, document: RunDocument) -> str:
        if not self.are_virtual:
            return _path(document).as_uri()
        return self._named_uri(document) if self._has_short_names else document.uri

    def _named_uri(self, document: RunDocument) -> str:
        """Return a short unique URI of `document`, which only this server process can resolve."""
        known = next((uri for uri, named in self._named.items() if named == document), None)
        if known is not None:
            return known
        short = document.uri.partition("?")[0]
        numbered = (short if number == 1 else f"{short}?{number}" for number in itertools.count(1))
        uri = next(uri for uri in numbered if uri not in self._named)
        self._named[uri] = document
        return uri

    def document(self, uri: str) -> RunDocument | None:
        path = path_of(uri)
        if path is not None:
            return self._files.get(path)
        return self._named.get(uri) or RunDocument.from_uri(uri)

    def prepare(self, run: Run, views: Iterable[View]) -> dict[View, str]:
        """Show `run` in the documents of `views`, or its failure in that of the payload before; return their URIs."""
        if not run.succeeded:
            return self._prepare_failure(run)
        documents = [run.document(view) for view in views]
        for document in documents:
            self._renew(document, run)
        return {document.view: self.uri(document) for document in documents}

    def _prepare_failure(self, run: Run) -> dict[View, str]:
        """Return the URI of the payload before the failure, which is computed when the editor requests its text."""
        if not (run.has_failed_step and self.are_virtual):
            return {}
        document = RunDocument(run.target, View.FAILURE)
        self._renew(document, run)
        return {View.FAILURE: self.uri(document)}

    def show(self, uri: str, address: str = "") -> None:
        """Show a document in the editor, or show a message with its path if the editor cannot, or refuses.

        If it is, or leads to, the page at `address`, show it in a browser, and a message with that in any case.
        """

        def say_where() -> None:
            self._editor.say(types.MessageType.Info, f"the run is shown in {address or path_of(uri) or uri}")

        window = self._editor.capabilities.window
        claimed = window.show_document if window is not None else None
        can_show = claimed is not None and claimed.support
        if address or not can_show:
            say_where()
        if can_show:
            self._editor.show(uri, say_where if not address else lambda: None, outside=bool(address))

    def opened(self, document: RunDocument) -> None:
        """Keep a virtual document up to date from now on, since the editor has requested its text."""
        self._asked_for.add(document)

    def tell_age(self, documents: Iterable[RunDocument], *, is_outdated: bool) -> None:
        """Notify the editor, if it supports that, whether documents show the payload of an older text."""
        if marks_runs_itself(self._editor):
            views = [{"uri": self.uri(document), "isOutdated": is_outdated} for document in documents]
            self._editor.notify(VIEWS, {"views": views})

    def _script_built(self, uri: str) -> None:
        """Refresh the virtual document of a built script, whose text has changed."""
        if self.are_virtual:
            self._editor.refresh(
                types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH, types.TextDocumentContentRefreshParams(uri)
            )

    def refresh(self, target: RunTarget, run: Run | None) -> None:
        """Update all documents that show `target` to `run`, its last successful one."""
        failure = RunDocument(target, View.FAILURE)
        if failure in self._asked_for:
            self._ask_to_refresh(failure)
        if run is None:
            return
        for document in [*self._asked_for, *self._files.values()]:
            if document.target == target and document.line is None and document != failure:
                self._renew(document, run)

    def closed(self, document: RunDocument) -> None:
        """Stop updating a virtual document."""
        self._asked_for.discard(document)

    def _renew(self, document: RunDocument, run: Run) -> None:
        if not self.are_virtual:
            self.write(document, run.texts.get(document.view, ""))
        elif document in self._asked_for:
            self._ask_to_refresh(document)

    def _ask_to_refresh(self, document: RunDocument) -> None:
        refresh = types.TextDocumentContentRefreshParams(self.uri(document))
        self._editor.refresh(types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH, refresh)

    def write(self, document: RunDocument, text: str) -> None:
        """Replace the file of `document` atomically, since the editor may read it at any moment."""
        path = _path(document)
        _write(path, shown_text(text))
        self._files[path] = document

    def uri_of_schedule(self, document: ScheduleDocument, text: str) -> str:
        """Return the URI in this editor of a built script with the text `text`; writes a file if it needs one."""
        if self.are_virtual:
            return document.uri
        return kept_file(f"{document.program}\n{document.function}", document.name, text).as_uri()


def shown_text(text: str) -> str:
    """Return the text of a view: with the same lines, but without the weights of a large payload, which it says."""
    short = abridge(text, SHORTEST, in_line=True)[0] if len(text) >= _LARGE else text
    left_out = len(text) - len(short)
    return f"{short}// tdls: {left_out:,} characters of weights are left out of this view\n" if left_out else text


def marks_runs_itself(editor: Editor) -> bool:
    """Return whether an editor marks outdated views and the lines at which runs stopped itself."""
    return editor.claims("tdlsViews")


def kept_file(identity: str, name: str, text: str) -> Path:
    """Write `text` to the read-only file `name` in a folder for `identity`, and return its path."""
    path = _place(identity, name)
    _write(path, text)
    return path


def _path(document: RunDocument) -> Path:
    target = document.target
    return _place(f"{target.script}\n{target.part}\n{target.entry_point}", document.name)


def _place(identity: str, name: str) -> Path:
    folder = hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return private_folder(_FOLDER, folder) / name


def _write(path: Path, text: str) -> None:
    """Write a read-only file, or replace an existing one atomically."""
    with contextlib.suppress(FileNotFoundError):
        if os.name == "nt":
            path.chmod(stat.S_IWRITE)
    write_private(path, text.encode("utf-8"), _READ_ONLY, is_lasting=False)
