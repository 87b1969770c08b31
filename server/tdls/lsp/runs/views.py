"""The documents that show runs: virtual ones where the editor can ask for their text, else read-only files."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.caching.user_cache import private_folder
from tdls.lsp.protocol.paths import path_of
from tdls.lsp.protocol.run_target import RunDocument, View

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.protocol.run_target import RunTarget
    from tdls.lsp.runs.outcome import Run
    from tdls.lsp.runs.runner import Runs

_FOLDER = "runs"
_READ_ONLY = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH


class RunViews:
    """Shows views of runs, and keeps shown ones up to date."""

    def __init__(self, editor: Editor, runs: Runs) -> None:
        self._editor = editor
        self._runs = runs
        self._files: dict[Path, RunDocument] = {}
        """The documents that are files, by path."""
        self._asked_for: set[RunDocument] = set()
        """The virtual documents whose text the editor has."""

    @property
    def are_virtual(self) -> bool:
        """True if the editor asks for the text of documents that are no files."""
        workspace = self._editor.capabilities.workspace
        return workspace is not None and workspace.text_document_content is not None

    def uri(self, document: RunDocument) -> str:
        """Return the address of `document` in this editor."""
        return document.uri if self.are_virtual else _path(document).as_uri()

    def document(self, uri: str) -> RunDocument | None:
        """Return what an address shows; None for those that show no run."""
        path = path_of(uri)
        return self._files.get(path) if path is not None else RunDocument.from_uri(uri)

    def prepare(self, run: Run, views: Iterable[View]) -> dict[View, str]:
        """Let the addresses of `views` show `run`, if it succeeded, and return them."""
        if not run.succeeded:
            return {}
        documents = [RunDocument(run.target, view) for view in views]
        for document in documents:
            self._renew(document, run)
        return {document.view: self.uri(document) for document in documents}

    async def show(self, uri: str) -> None:
        """Let the editor show a document, or say where it is if the editor cannot be asked for that."""
        window = self._editor.capabilities.window
        claimed = window.show_document if window is not None else None
        if claimed is not None and claimed.support:
            await self._editor.show(uri)
            return
        self._editor.say(types.MessageType.Info, f"the run is shown in {path_of(uri) or uri}")

    async def text(self, document: RunDocument) -> str:
        """Return the text of a virtual document; what was never run, as after a restart, is run for that."""
        self._asked_for.add(document)
        run = self._runs.last(document.target)
        if run is None or document.view not in run.texts:
            run = await self._runs.run_again(document.target, {document.view})
        return run.texts.get(document.view, f"// {run.detail}\n")

    def refresh(self, target: RunTarget) -> None:
        """Show the newest run of `target` wherever one is shown."""
        run = self._runs.last(target)
        if run is None:
            return
        for document in [*self._asked_for, *self._files.values()]:
            if document.target == target:
                self._renew(document, run)

    def closed(self, uri: str) -> None:
        """No longer keep a document up to date."""
        document = self.document(uri)
        if document is not None:
            self._asked_for.discard(document)
            self._runs.forget(*document)

    def _renew(self, document: RunDocument, run: Run) -> None:
        if not self.are_virtual:
            self._write(document, run.texts.get(document.view, ""))
        elif document in self._asked_for:
            refresh = types.TextDocumentContentRefreshParams(document.uri)
            self._editor.refresh(types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH, refresh)

    def _write(self, document: RunDocument, text: str) -> None:
        """Put `text` in place of the file at once, since the editor may look at any moment."""
        path = _path(document)
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.{os.getpid()}")
        fresh.write_text(text, encoding="utf-8", newline="\n")
        fresh.chmod(_READ_ONLY)
        with contextlib.suppress(FileNotFoundError):
            if os.name == "nt":
                path.chmod(stat.S_IWRITE)
        fresh.replace(path)
        self._files[path] = document


def _path(document: RunDocument) -> Path:
    target = document.target
    identity = f"{target.script}\n{target.part}\n{target.entry_point}"
    folder = hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return private_folder() / _FOLDER / folder / document.name
