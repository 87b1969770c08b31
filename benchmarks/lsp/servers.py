"""The servers that are measured, and documents opened in them."""

from __future__ import annotations

import contextlib
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rpc.client import LanguageClient
from rpc.document import Document, Inbox, Publication

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

TDLS = "tdls"
REFERENCE = "mlir-lsp-server-22"
CAPABILITIES = {
    "workspace": {
        "workspaceFolders": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "codeLens": {"refreshSupport": True},
    },
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
        "completion": {"completionItem": {"snippetSupport": True}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
}
QUIET_SECONDS = 0.7


@dataclass(frozen=True)
class Server:
    """A name for the table, the command that starts the server on its standard streams, and its variables."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Session:
    """A running server with one document."""

    client: LanguageClient
    inbox: Inbox
    document: Document

    def found(self, version: int, accept: Callable[[set[int]], bool]) -> Publication:
        """Wait for findings of `version` or a later one; `accept` decides by the lines on which they begin."""
        return self.inbox.wait_for(
            self.document.uri, lambda it: (it.version is None or it.version >= version) and accept(lines_of(it))
        )

    def wait_until_quiet(self) -> None:
        """Wait until nothing was published for a while."""
        count = -1
        while count != (count := len(self.inbox.publications(self.document.uri))) or count == 0:
            time.sleep(QUIET_SECONDS)


def this_tdls() -> Server:
    """The tdls of the running Python."""
    return Server(TDLS, (sys.executable, "-m", "tdls", "server"))


@contextlib.contextmanager
def session(server: Server, text: str, folder: Path | None = None) -> Iterator[Session]:
    """Start the server, in the workspace `folder` if there is one; the document is not opened yet."""
    home = folder.as_uri() if folder is not None else "file:///benchmark"
    folders = [{"uri": home, "name": folder.name}] if folder is not None else None
    with LanguageClient(server.command, environment=server.environment) as client:
        inbox = Inbox(client)
        client.initialize(CAPABILITIES, workspaceFolders=folders)
        yield Session(client, inbox, Document(client, f"{home}/input.mlir", text))
        with contextlib.suppress(Exception):
            client.shut_down(5)


def lines_of(publication: Publication) -> set[int]:
    """The lines on which findings begin."""
    return {diagnostic["range"]["start"]["line"] for diagnostic in publication.diagnostics}
