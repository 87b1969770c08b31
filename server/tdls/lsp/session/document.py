"""The documents that the editor has open, as it sees them: versions and edits."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lsprotocol import types

from tdls.analysis.checking.findings import Findings
from tdls.analysis.file.file_instructions import may_say_otherwise
from tdls.lsp.protocol.conversions import to_offset
from tdls.text.difference import single_edit
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from tdls.analysis.file.source_file import SourceFile
    from tdls.lsp.session.document_queue import DocumentQueue
    from tdls.text.positions import PositionEncoding


@dataclass(slots=True, eq=False)
class OpenDocument:
    """What the event loop knows of an open document, while other threads read, edit and check it in its lane."""

    uri: str
    version: int
    """The newest version that the editor told of."""
    queue: DocumentQueue
    document: Document | None = None
    """The document as far as it was read and edited; None until it is read, or when it is closed.

    It is closed at any moment, so that whoever works in the lane looks once.
    """
    pending: set[asyncio.Future[Any]] = field(default_factory=set)
    """Requests that are not answered yet."""
    of_version: set[asyncio.Future[Any]] = field(default_factory=set)
    """Those of them whose answers are of no use for any other version."""
    edits: set[asyncio.Future[Any]] = field(default_factory=set)
    """What is still to be done until the text is that of the present version."""
    shown: FileSpan | None = None
    """What the editor showed of the text when it last said so."""
    are_lenses_known: bool = False
    """True once all of a large document was looked at for lenses."""


class OpenDocuments:
    """The documents that the editor has open. The event loop's thread changes them; lanes may ask for one of them."""

    def __init__(self) -> None:
        self._by_uri: dict[str, OpenDocument] = {}

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(self._by_uri.values())

    def get(self, uri: str) -> OpenDocument | None:
        """Return what is known of an open document, which may still be read or edited; None if it is not open."""
        return self._by_uri.get(uri)

    def add(self, opened: OpenDocument) -> None:
        """Add a document that was opened; it takes the place of another one with its URI."""
        self._by_uri[opened.uri] = opened

    def remove(self, uri: str) -> OpenDocument | None:
        """Remove a document that is closed, and return it; None if it was not open."""
        return self._by_uri.pop(uri, None)

    def edits_besides(self, opened: OpenDocument | None) -> list[asyncio.Future[object]]:
        """Return what is still to be done until all documents but `opened` are as the editor has them."""
        return [edit for other in self if other is not opened for edit in other.edits]

    async def edited(self) -> None:
        """Wait until all documents are as the editor had them when this was called."""
        edits = self.edits_besides(None)
        if edits:
            await asyncio.wait(edits)


@dataclass(slots=True, eq=False)
class Document:
    """One open document; `file` is its present version. Touched in its lane only, but for looking at `file`."""

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
        """Apply `changes` one after the other; each speaks of the text that the one before it made.

        `before_edit` gets to know each of them before others see its text: the document's URI, the version that is
        edited, which span of it, and the text that replaces it.
        Returns True if the comments that say how the document is run may be others now.
        """
        says_otherwise = False
        for change in changes:
            span, text = _edit(self.file, change, encoding)
            edited = self.file.edited(span, text)
            before_edit(self.uri, self.file, span, text)
            self._replace(edited)
            says_otherwise = says_otherwise or may_say_otherwise(self.file)
        self.version = version
        return says_otherwise

    def use_files(self, libraries: Sequence[SourceFile], payload: SourceFile | None) -> bool:
        """Make the sequences of `libraries`, and what is in `payload`, known; False if they were already."""
        if tuple(libraries) == self.file.libraries and payload is self.file.payload:
            return False
        self._replace(self.file.with_libraries(libraries).with_payload(payload))
        return True

    def use_file(self, file: SourceFile) -> None:
        """Go on with the same text in another `file`, which knows other operations."""
        self.file = file
        self.findings = Findings(file)

    def _replace(self, file: SourceFile) -> None:
        self.file = file
        self.findings.advance(file)


def _edit(
    file: SourceFile, change: types.TextDocumentContentChangeEvent, encoding: PositionEncoding
) -> tuple[FileSpan, str]:
    """Return what is replaced, and by what."""
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return single_edit(file.text, change.text)
    start = to_offset(file, change.range.start, encoding)
    end = to_offset(file, change.range.end, encoding)
    return FileSpan(start, max(start, end)), change.text
