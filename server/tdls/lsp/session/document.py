"""The documents that the editor has open: versions, edits, and pending requests."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.analysis.checking.findings import Findings
from tdls.analysis.file.file_instructions import may_say_otherwise
from tdls.lsp.protocol.conversions import to_offset
from tdls.structs import Struct, field
from tdls.text.difference import single_edit
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from tdls.analysis.file.source_file import NamedLibraries, SourceFile
    from tdls.lsp.session.document_queue import DocumentQueue
    from tdls.text.positions import PositionEncoding


class OpenDocument(Struct, eq=False):
    """State of an open document for the event loop, while other threads read, edit and check it in its queue."""

    uri: str
    version: int
    """The newest version that the editor sent."""
    queue: DocumentQueue
    document: Document | None = None
    """The document as far as it was read and edited, or None until it is read, and after it is closed.

    It may be closed at any moment: functions in the queue must read this attribute once only.
    """
    pending: set[asyncio.Future[Any]] = field(default_factory=set)
    """Pending requests."""
    of_version: set[asyncio.Future[Any]] = field(default_factory=set)
    """Pending requests whose answers are useless for any other version."""
    edits: set[asyncio.Future[Any]] = field(default_factory=set)
    """Pending work until the text is that of `version`."""
    shown: FileSpan | None = None
    """The visible part of the text in the editor's last inlay hint request."""
    are_lenses_known: bool = False
    """True once the lenses of all sections of a large document are computed."""


class OpenDocuments:
    """The documents that the editor has open. Only the event loop's thread changes them; `get` is thread-safe."""

    def __init__(self) -> None:
        self._by_uri: dict[str, OpenDocument] = {}

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(self._by_uri.values())

    def get(self, uri: str) -> OpenDocument | None:
        """Return the state of an open document, which may still be read or edited, or None if it is not open."""
        return self._by_uri.get(uri)

    def add(self, opened: OpenDocument) -> None:
        """Add an opened document; it replaces another one with the same URI."""
        self._by_uri[opened.uri] = opened

    def remove(self, uri: str) -> OpenDocument | None:
        """Remove a closed document, and return it, or None if it was not open."""
        return self._by_uri.pop(uri, None)

    def edits_besides(self, opened: OpenDocument | None) -> list[asyncio.Future[object]]:
        """Return the pending edits of all documents except `opened`."""
        return [edit for other in self if other is not opened for edit in other.edits]

    async def edited(self) -> None:
        """Wait until the edits are done that are pending at the time of the call."""
        edits = self.edits_besides(None)
        if edits:
            await asyncio.wait(edits)


class Document(Struct, eq=False):
    """One open document; `file` is its present version. Used in its queue only, except for reading `file`."""

    uri: str
    version: int
    language_id: str
    file: SourceFile
    findings: Findings

    @classmethod
    def opened(cls, item: types.TextDocumentItem, file: SourceFile) -> Document:
        """Return the document that the editor opened with the text of `file`."""
        return cls(item.uri, item.version, item.language_id, file, Findings(file))

    def change(
        self,
        version: int,
        changes: Sequence[types.TextDocumentContentChangeEvent],
        encoding: PositionEncoding,
        before_edit: Callable[[str, SourceFile, FileSpan, str], None],
    ) -> bool:
        """Apply `changes` one after the other; the range of each refers to the text after the previous one.

        `before_edit` is called for each change before its text is visible to others, with the document's URI, the
        edited file, the replaced span, and the new text.
        Returns True if the RUN lines and ``// tdls:`` comments of the document may have changed.
        """
        may_differ = False
        for change in changes:
            span, text = _edit(self.file, change, encoding)
            edited = self.file.edited(span, text)
            before_edit(self.uri, self.file, span, text)
            self._replace(edited)
            may_differ = may_differ or may_say_otherwise(self.file)
        self.version = version
        return may_differ

    def use_files(self, libraries: Sequence[SourceFile], payload: SourceFile | None, named: NamedLibraries) -> bool:
        """Use other `libraries` and another `payload`; return False if they are the same as before.

        `named` are the libraries that comments of the document name.
        """
        is_same = tuple(libraries) == self.file.libraries and payload is self.file.payload
        if is_same and named == self.file.named_libraries:
            return False
        self._replace(self.file.with_libraries(libraries, named).with_payload(payload))
        return True

    def use_file(self, file: SourceFile) -> None:
        """Replace the file by one with the same text and another catalogue."""
        self.file = file
        self.findings = Findings(file)

    def _replace(self, file: SourceFile) -> None:
        self.file = file
        self.findings.advance(file)


def _edit(
    file: SourceFile, change: types.TextDocumentContentChangeEvent, encoding: PositionEncoding
) -> tuple[FileSpan, str]:
    """Return the replaced span, and the new text."""
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return single_edit(file.text, change.text)
    start = to_offset(file, change.range.start, encoding)
    end = to_offset(file, change.range.end, encoding)
    return FileSpan(start, max(start, end)), change.text
