"""What the server knows while it runs: open documents, files read from disk, settings of the client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lsprotocol import types

from tdls.catalogue.bindings import BindingDescriptions
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.snapshot import Location, Snapshot
from tdls.lsp.protocol.errors import ContentModified
from tdls.lsp.protocol.positions import to_offset, to_range
from tdls.lsp.session.marks import MarkStore
from tdls.text.position_encoding import PositionEncoding

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile
    from tdls.lsp.session.document import Document
    from tdls.text.span import FileSpan


class AtPosition(Protocol):
    """Parameters of a request about a place in a document."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier:
        """The document."""
        ...

    @property
    def position(self) -> types.Position:
        """The place, as the protocol counts it."""
        ...


class Cursor(NamedTuple):
    """A place in a document, with all that a feature may look at."""

    snapshot: Snapshot
    uri: str
    file: SourceFile
    offset: int


@dataclass
class Session:
    """The server's state. Lanes read it while the event loop's thread and other lanes change it.

    So dictionaries are copied as a whole before anybody goes through them.
    """

    catalogue: Catalogue
    encoding: PositionEncoding
    documents: dict[str, Document]
    files: dict[str, SourceFile]
    """Files of the workspace and libraries that are not open, by URI."""
    descriptions: BindingDescriptions
    marks: MarkStore
    """What the last runs said about files."""

    @classmethod
    def empty(cls) -> Session:
        """Return the state before anything was opened."""
        return cls(
            Catalogue.shipped(),
            PositionEncoding.UTF16,
            {},
            {},
            BindingDescriptions.installed(),
            MarkStore(),
        )

    def snapshot(self, catalogue: Catalogue | None = None) -> Snapshot:
        """Return what is known now; open documents hide the files on disk.

        `catalogue` is the one of the document in question, for features that are not asked about a place in it.
        """
        return Snapshot(
            {**self.files, **self.open_files()}, catalogue or self.catalogue, self.descriptions, self.marks.by_uri
        )

    def file(self, uri: str) -> SourceFile | None:
        """Return the present version of a document or file; None if it is not known."""
        document = self.documents.get(uri)
        return document.file if document is not None else self.files.get(uri)

    def closed_files(self) -> dict[str, SourceFile]:
        """Return the files that are known and not open, by URI."""
        return {uri: file for uri, file in dict(self.files).items() if uri not in self.documents}

    def open_files(self) -> dict[str, SourceFile]:
        """Return the present versions of open documents, by URI."""
        return {uri: document.file for uri, document in dict(self.documents).items()}

    def cursor(self, params: AtPosition) -> Cursor | None:
        """Return the place that a request is about; None for an unknown document, or a section that is not read."""
        uri = params.text_document.uri
        file = self.file(uri)
        if file is None:
            return None
        offset = to_offset(file, params.position, self.encoding)
        if file.context_at(offset).section.is_left_out:
            return None
        return Cursor(self.snapshot(), uri, file, offset)

    def range(self, uri: str, span: FileSpan) -> types.Range:
        """Return the range of a place in a known file. Raises ContentModified for one that is not known any more."""
        file = self.file(uri)
        if file is None:
            raise ContentModified("a document that the answer names was closed")
        return to_range(file, span, self.encoding)

    def location(self, location: Location) -> types.Location:
        """Return a place in a known file as the protocol has it. Raises ContentModified as `range` does."""
        return types.Location(location.uri, self.range(location.uri, location.span))
