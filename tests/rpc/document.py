"""An open document as an editor holds it: its text, its version and the server's diagnostics."""

from __future__ import annotations

import re
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from rpc.client import Json, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rpc.client import LanguageClient, Notification

INCREMENTAL = 2
"""`TextDocumentSyncKind.Incremental`."""
_LONE_CARRIAGE_RETURN = re.compile(r"\r(?!\n)")


class Replacement(NamedTuple):
    """The code points from `start` to `end` become `new_text`."""

    start: int
    end: int
    new_text: str


class Publication(NamedTuple):
    """One `textDocument/publishDiagnostics`; `version` is None where the server names none."""

    version: int | None
    diagnostics: list[Json]
    received_at: float


class Document:
    """A document opened in a server; every change is sent in the form that the server supports.

    `encoding` is the position encoding that was negotiated, `language` the identifier of the text's language.
    """

    def __init__(
        self, client: LanguageClient, uri: str, text: str, *, encoding: str = "utf-16", language: str = "mlir"
    ):
        self.uri = uri
        self.text = text
        self.language = language
        self.version = 0
        self._client = client
        self._encoding = encoding

    @property
    def identifier(self) -> Json:
        """The `TextDocumentIdentifier`."""
        return {"uri": self.uri}

    def open(self) -> float:
        """Open the document and return when that was sent."""
        item = {"uri": self.uri, "languageId": self.language, "version": self.version, "text": self.text}
        return self._client.notify("textDocument/didOpen", {"textDocument": item})

    def close(self) -> None:
        """Close the document."""
        self._client.notify("textDocument/didClose", {"textDocument": self.identifier})

    def replace(self, start: int, end: int, new_text: str) -> float:
        """Replace the code points from `start` to `end` and return when that was sent."""
        return self.change([Replacement(start, end, new_text)])

    def change(self, replacements: Sequence[Replacement]) -> float:
        """Make several changes in one notification, each to the text that the one before left; return when sent."""
        changes: list[Json] = []
        for replacement in replacements:
            start, end, new_text = _with_whole_line_ends(self.text, replacement)
            changes.append({"range": self.range(start, end), "text": new_text})
            self.text = self.text[:start] + new_text + self.text[end:]
        self.version += 1
        if not self._is_incremental():
            changes = [{"text": self.text}]
        identifier = {"uri": self.uri, "version": self.version}
        params = {"textDocument": identifier, "contentChanges": changes}
        return self._client.send(encode({"method": "textDocument/didChange", "params": params}))

    def position(self, offset: int) -> Json:
        """The protocol's position of a code point."""
        line, start = line_and_start(self.text, offset)
        before = self.text[start:offset]
        return {"line": line, "character": UNITS[self._encoding](before)}

    def range(self, start: int, end: int) -> Json:
        """The protocol's range from code point `start` to `end`."""
        return {"start": self.position(start), "end": self.position(end)}

    def at(self, offset: int) -> Json:
        """`TextDocumentPositionParams` for a code point."""
        return {"textDocument": self.identifier, "position": self.position(offset)}

    def _is_incremental(self) -> bool:
        sync = self._client.server_capabilities.get("textDocumentSync")
        kind = sync.get("change") if isinstance(sync, dict) else sync
        return bool(kind == INCREMENTAL)


class Inbox:
    """Keeps the diagnostics that a server publishes, and lets a thread wait for some of them."""

    def __init__(self, client: LanguageClient):
        self._arrived = threading.Condition()
        self._by_uri: dict[str, list[Publication]] = {}
        self.messages: list[Json] = []
        """Messages shown to the user, oldest first."""
        client.on_notification = self._receive

    def publications(self, uri: str) -> list[Publication]:
        """Everything published for a document so far, oldest first."""
        with self._arrived:
            return list(self._by_uri.get(uri, ()))

    def forget(self, uri: str) -> None:
        """Drop the published diagnostics of a document."""
        with self._arrived:
            self._by_uri.pop(uri, None)

    def newest(self, document: Document) -> list[Json] | None:
        """The last published diagnostics of a document; None if they are not for its present version."""
        publications = self.publications(document.uri)
        if not publications or publications[-1].version != document.version:
            return None
        return publications[-1].diagnostics

    def wait_for(self, uri: str, accept: Callable[[Publication], bool], timeout: float = 60.0) -> Publication:
        """Return the first publication for `uri` that `accept` takes; raises TimeoutError."""
        deadline = time.monotonic() + timeout
        seen = 0
        with self._arrived:
            while True:
                for publication in self._by_uri.get(uri, [])[seen:]:
                    seen += 1
                    if accept(publication):
                        return publication
                if not self._arrived.wait(deadline - time.monotonic()):
                    raise TimeoutError(f"no such diagnostics for {uri} in {timeout:.0f} s")

    def _receive(self, notification: Notification) -> None:
        if notification.method == "window/showMessage":
            self.messages.append(notification.params)
        if notification.method != "textDocument/publishDiagnostics":
            return
        params = notification.params
        publication = Publication(params.get("version"), params["diagnostics"], notification.received_at)
        with self._arrived:
            self._by_uri.setdefault(params["uri"], []).append(publication)
            self._arrived.notify_all()


def line_and_start(text: str, offset: int) -> tuple[int, int]:
    r"""Line of an offset and where that line begins, for the line ends that the protocol knows: \n, \r\n and \r."""
    line, start = text.count("\n", 0, offset), text.rfind("\n", 0, offset) + 1
    if "\r" in text:
        ends = [match.end() for match in _LONE_CARRIAGE_RETURN.finditer(text, 0, offset)]
        line, start = line + len(ends), max([start, *ends[-1:]])
    return line, start


def _with_whole_line_ends(text: str, replacement: Replacement) -> Replacement:
    r"""The same change with no end between the two halves of \r\n, which no position of the protocol can name."""
    start, end, new_text = replacement
    if text[start - 1 : start + 1] == "\r\n" and start > 0:
        start, new_text = start - 1, "\r" + new_text
    if text[end - 1 : end + 1] == "\r\n" and end > 0:
        end, new_text = end + 1, new_text + "\n"
    return Replacement(start, end, new_text)


def _utf8_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _utf16_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


UNITS: dict[str, Callable[[str], int]] = {"utf-8": _utf8_length, "utf-16": _utf16_length, "utf-32": len}
"""The length of a text in the units of each position encoding."""
