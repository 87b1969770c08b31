"""A running server for tests that speak the protocol themselves."""

from __future__ import annotations

import itertools
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from command_line import STARTED
from rpc.answers import comparable, document_questions, eventually, position_questions, published_alike
from rpc.client import LanguageClient, Mode
from rpc.document import Document, Inbox

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from rpc.client import Json

_Bench = TypeVar("_Bench", bound="Workbench")
SERVER = (*STARTED, "server")
CAPABILITIES = {
    "workspace": {"workspaceFolders": True, "didChangeWatchedFiles": {"dynamicRegistration": True}},
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True, "tagSupport": {"valueSet": [1, 2]}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
}


class Workbench:
    """A server process, started with `encodings` as those of the client, and its diagnostics.

    It has to end well and without a traceback on standard error, unless it `may_complain`. `more` is all that the
    client is capable of besides `CAPABILITIES`, `options` are its initialization options, `arguments` those of the
    server, which `command` starts; `mode` is how the client answers, if that is not as in all tests.
    """

    def __init__(
        self,
        *encodings: str,
        folders: Sequence[Path] = (),
        may_complain: bool = False,
        more: Json | None = None,
        options: Json = None,
        arguments: Sequence[str] = (),
        command: Sequence[str] | None = None,
        mode: Mode | None = None,
    ):
        self.client = LanguageClient([*(command or SERVER), *arguments], mode=mode)
        self.inbox = Inbox(self.client)
        self._may_complain = may_complain
        self._numbers = itertools.count()
        self._opened: list[Document] = []
        general = {"general": {"positionEncodings": list(encodings)}} if encodings else {}
        workspace = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        capabilities: dict[str, Json] = {**CAPABILITIES, **general}
        for area, claimed in (more or {}).items():
            capabilities[area] = {**capabilities.get(area, {}), **claimed}
        initialization = {"initializationOptions": options} if options is not None else {}
        self.client.initialize(capabilities, workspaceFolders=workspace or None, **initialization)

    def __enter__(self: _Bench) -> _Bench:
        return self

    def __exit__(self, *_: object) -> None:
        with self.client:
            if self.client.process.poll() is None:
                status = self.client.shut_down()
                assert status == 0, f"exit status {status}: {self.client.stderr.decode()}"
        assert self._may_complain or b"Traceback" not in self.client.stderr, self.client.stderr.decode()

    def open(self, text: str, *, uri: str | None = None, language: str = "mlir") -> Document:
        """Open a document that the server has not seen yet."""
        encoding = self.client.server_capabilities.get("positionEncoding", "utf-16")
        address = uri or f"file:///tests/{next(self._numbers)}.mlir"
        document = Document(self.client, address, text, encoding=encoding, language=language)
        document.open()
        self._opened.append(document)
        return document

    def change_folders(self, *, added: Sequence[Path] = (), removed: Sequence[Path] = ()) -> None:
        """Add folders to the workspace, and remove others."""
        event = {
            kind: [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
            for kind, folders in (("added", added), ("removed", removed))
        }
        self.client.notify("workspace/didChangeWorkspaceFolders", {"event": event})

    @contextmanager
    def workspace_folders(self, *folders: Path) -> Iterator[None]:
        """Add folders to the workspace for one test, then close them with their documents, and forget messages."""
        opened = len(self._opened)
        self.change_folders(added=folders)
        yield
        for document in self._opened[opened:]:
            document.close()
        self.change_folders(removed=folders)
        self.client.choice, self.client.applies_edits = None, True
        del self._opened[opened:], self.client.asked[:], self.inbox.messages[:]

    def configure(self, settings: Json) -> None:
        """Change the settings of the editor; an editor that does not answer requests for settings sends them."""
        self.client.settings = settings
        sent = {"tdls": settings} if self.client.mode is not Mode.FRIENDLY else None
        self.client.notify("workspace/didChangeConfiguration", {"settings": sent})

    def assert_clean(self, document: Document) -> None:
        """Wait until the server finds nothing in the current version of a document."""
        assert eventually(lambda: self.inbox.newest(document) == []), self.inbox.publications(document.uri)[-1:]

    def wait_for_finding(self, document: Document, message: str) -> Json:
        """Wait for a finding in the current version with `message` in it, and return it."""
        publication = self.inbox.wait_for(
            document.uri,
            lambda it: it.version == document.version and any(message in found["message"] for found in it.diagnostics),
        )
        return next(found for found in publication.diagnostics if message in found["message"])

    def answers(self, document: Document, offset: int) -> dict[str, Json]:
        """The server's answers to all requests about a document and a place in it."""
        questions = [
            *document_questions(self.client, document),
            *position_questions(self.client, document, offset),
        ]
        return {method: comparable(self.client.call(method, params), document.uri) for method, params in questions}

    def assert_same_as_fresh(self, document: Document, offset: int) -> None:
        """Compare all answers with those for the same text opened as another document."""
        fresh = self.open(document.text)
        assert self.answers(document, offset) == self.answers(fresh, offset)
        assert published_alike((self.inbox, document), (self.inbox, fresh))
        fresh.close()
