"""Documents in the server of a pytest-lsp client, with a cursor where the text says `$0`."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, TypedDict

from lsprotocol import types

from rpc.document import UNITS, line_and_start

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from lsp.editor_client import EditorClient

_NUMBERS = itertools.count()
_SUFFIXES = {"mlir": "mlir", "python": "py"}
TIMEOUT = 60


class Cursor(TypedDict):
    """Parameters of requests about a cursor."""

    text_document: types.TextDocumentIdentifier
    position: types.Position


class Opened:
    """A document that is open in a client's server, with requests about it and its cursor."""

    def __init__(self, client: EditorClient, text: str, *, uri: str | None = None, language: str = "mlir"):
        self.client = client
        self.uri = uri or f"file:///features/{next(_NUMBERS)}.{_SUFFIXES[language]}"
        self.text, _, after = text.partition("$0")
        self.cursor = len(self.text)
        self.text += after
        self.version = 0
        item = types.TextDocumentItem(uri=self.uri, language_id=language, version=self.version, text=self.text)
        client.opened.append(self.uri)
        client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))

    @classmethod
    def from_file(cls, client: EditorClient, path: Path, text: str) -> Opened:
        """Write a file and open it."""
        opened = text.replace("$0", "")
        path.write_text(opened, encoding="utf-8")
        return cls(client, text, uri=path.as_uri())

    @property
    def identifier(self) -> types.TextDocumentIdentifier:
        """The protocol's name of the document."""
        return types.TextDocumentIdentifier(uri=self.uri)

    def position(self, offset: int | None = None) -> types.Position:
        """The protocol's position of an offset, or of the cursor."""
        offset = self.cursor if offset is None else offset
        line, start = line_and_start(self.text, offset)
        return types.Position(line=line, character=self._units(self.text[start:offset]))

    def range_of(self, piece: str, occurrence: int = 0) -> types.Range:
        """The protocol's range of the first occurrence of a piece of the text, or of a later one."""
        start = self.text.index(piece)
        for _ in range(occurrence):
            start = self.text.index(piece, start + 1)
        return types.Range(start=self.position(start), end=self.position(start + len(piece)))

    def text_in(self, range_: types.Range) -> str:
        """The text in a range, of one line."""
        line = self.text.split("\n")[range_.start.line]
        assert range_.start.line == range_.end.line
        cells = [self._units(line[:column]) for column in range(len(line) + 1)]
        return line[cells.index(range_.start.character) : cells.index(range_.end.character)]

    def texts_in(self, ranges: Sequence[types.Range]) -> list[str]:
        """The texts in several ranges, as `line:text`, in the order of the text."""
        ordered = sorted(ranges, key=lambda it: (it.start.line, it.start.character))
        return [f"{it.start.line}:{self.text_in(it)}" for it in ordered]

    def at_cursor(self) -> Cursor:
        """Keyword arguments of every request about the cursor."""
        return {"text_document": self.identifier, "position": self.position()}

    def edited(self, edits: Sequence[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit]) -> str:
        """The text after edits whose ranges do not overlap."""
        text = self.text
        for edit in sorted(edits, key=lambda it: (it.range.start.line, it.range.start.character), reverse=True):
            assert not isinstance(edit, types.SnippetTextEdit)
            start, end = self.offset(edit.range.start), self.offset(edit.range.end)
            text = text[:start] + edit.new_text + text[end:]
        return text

    def offset(self, position: types.Position) -> int:
        """The offset of a position in the text."""
        lines = self.text.split("\n")
        column = next(
            column for column in range(10_000) if self._units(lines[position.line][:column]) >= position.character
        )
        return sum(len(line) + 1 for line in lines[: position.line]) + column

    def change(self, old: str, new: str) -> None:
        """Replace every occurrence of `old`, in one notification that holds the whole text."""
        self.text = self.text.replace(old, new)
        self.version += 1
        identifier = types.VersionedTextDocumentIdentifier(version=self.version, uri=self.uri)
        changes = [types.TextDocumentContentChangeWholeDocument(text=self.text)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, changes))

    async def diagnostics(self) -> Sequence[types.Diagnostic]:
        """The server's diagnostics: pulled by clients that can, else the published ones.

        An answer to a pull ends the wait for these, too: a slow machine publishes what it has before it is complete.
        """
        params = types.DocumentDiagnosticParams(text_document=self.identifier)
        report = await self.client.text_document_diagnostic_async(params)
        if self.client.pulls_diagnostics:
            assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
            return report.items
        await self.wait_until(lambda: self.uri in self.client.diagnostics)
        return self.client.diagnostics[self.uri]

    async def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait until the condition holds; raises TimeoutError."""
        for _ in range(50 * TIMEOUT):
            if condition():
                return
            await asyncio.sleep(0.02)
        raise TimeoutError

    def _units(self, text: str) -> int:
        return UNITS[self.client.encoding](text)
