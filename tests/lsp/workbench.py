"""A running server for tests that speak the protocol themselves."""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING

from rpc.answers import comparable, document_questions, position_questions
from rpc.client import LanguageClient
from rpc.document import Document, Inbox, Publication

if TYPE_CHECKING:
    from rpc.client import Json

SERVER = (sys.executable, "-m", "tdls", "server")
CAPABILITIES = {
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True, "tagSupport": {"valueSet": [1, 2]}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    }
}


class Workbench:
    """A server process, started with `encodings` as what the client understands, and its diagnostics.

    It has to end well and say nothing on standard error, unless it `may_complain`.
    """

    def __init__(self, *encodings: str, may_complain: bool = False):
        self.client = LanguageClient(SERVER)
        self.inbox = Inbox(self.client)
        self._may_complain = may_complain
        self._numbers = itertools.count()
        general = {"general": {"positionEncodings": list(encodings)}} if encodings else {}
        self.client.initialize({**CAPABILITIES, **general})

    def __enter__(self) -> Workbench:
        return self

    def __exit__(self, *_: object) -> None:
        with self.client:
            if self.client.process.poll() is None:
                assert self.client.shut_down(20) == 0
        assert self._may_complain or not self.client.stderr, self.client.stderr.decode()

    def open(self, text: str) -> Document:
        """Open a document that the server has not seen yet."""
        encoding = self.client.server_capabilities.get("positionEncoding", "utf-16")
        document = Document(self.client, f"file:///tests/{next(self._numbers)}.mlir", text, encoding=encoding)
        document.open()
        return document

    def diagnostics(self, document: Document) -> list[Json]:
        """What the server publishes for the current version of a document."""
        return self.inbox.wait_for(document.uri, lambda it: it.version == document.version, 20).diagnostics

    def wait_for_finding(self, document: Document, message: str) -> Publication:
        """Wait for a publication for the current version with `message` in one of its findings."""
        return self.inbox.wait_for(
            document.uri,
            lambda it: it.version == document.version and any(message in found["message"] for found in it.diagnostics),
            20,
        )

    def answers(self, document: Document, offset: int) -> dict[str, Json]:
        """Everything that the server says of a document and of a place in it."""
        questions = [
            *document_questions(self.client, document),
            *position_questions(self.client, document, offset),
        ]
        return {method: comparable(self.client.call(method, params), document.uri) for method, params in questions}

    def assert_same_as_fresh(self, document: Document, offset: int) -> None:
        """Compare all answers with those for the same text opened as another document."""
        fresh = self.open(document.text)
        assert self.answers(document, offset) == self.answers(fresh, offset)
        published, expected = self.diagnostics(document), self.diagnostics(fresh)
        assert comparable(published, document.uri) == comparable(expected, fresh.uri)
        fresh.close()
