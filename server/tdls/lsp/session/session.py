"""State of the running server that services and features share, and the event by which services follow its changes."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import defaultdict
from enum import Enum, auto
from typing import TYPE_CHECKING, Protocol

from lsprotocol import types

from tdls.catalogue.bindings import BindingDescriptions
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.programs.built_scripts import BuiltScripts
from tdls.ide.run_marks import RunMarks
from tdls.ide.snapshot import Location, Snapshot
from tdls.lsp.protocol.conversions import to_offset, to_range
from tdls.lsp.protocol.errors import ContentModified, NotYetError
from tdls.lsp.session.document import OpenDocuments
from tdls.lsp.session.document_queue import DocumentQueue, DocumentQueues
from tdls.structs import NamedTuple
from tdls.text.positions import PositionEncoding

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from typing import Any

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.runs.match_report import MatchMarks
    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.protocol.run_target import RunTarget
    from tdls.lsp.session.document import Document
    from tdls.text.span import FileSpan


class MarkStore:
    """Marks of runs by target and URI; a change replaces `by_uri`, which is never mutated.

    Runs end in the event loop's thread, and documents are edited in their queues: a lock serializes the changes.
    """

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._by_target: dict[RunTarget, dict[str, RunMarks]] = {}
        self.by_uri: Mapping[str, RunMarks] = {}
        """The merged marks of all targets. Files without marks have no entry."""

    def of(self, uri: str) -> RunMarks:
        return self.by_uri.get(uri, RunMarks())

    def put(self, target: RunTarget, marks: Mapping[str, RunMarks]) -> set[str]:
        """Replace the marks of the last run of `target`; return the URIs of files whose marks may have changed."""
        after = {uri: mark for uri, mark in marks.items() if mark}
        with self._changing:
            before = self._by_target.pop(target, {})
            self._by_target[target] = after
            self._merge()
        return {*before, *after}

    def explained(self, target: RunTarget, matches: Mapping[str, MatchMarks]) -> set[str]:
        """Add the match results of another run of `target`; return the URIs of files with changed marks."""
        with self._changing:
            marks = self._by_target.get(target, {})
            for uri, matched in matches.items():
                updated = marks.get(uri, RunMarks()).explained(matched.matchers, matched.reasons, matched.suppressed)
                if updated:
                    marks[uri] = updated
            self._merge()
        return set(matches)

    def edited(self, uri: str, file: SourceFile, span: FileSpan, text: str) -> None:
        """Move the marks of a document for an edit: `span` of its version `file` becomes `text`."""
        if uri not in self.by_uri:
            return
        with self._changing:
            for marks in self._by_target.values():
                if uri in marks:
                    marks[uri] = marks[uri].edited(file, span, text)
            self._merge()

    def drop(self, uri: str) -> None:
        """Remove the marks of a file."""
        with self._changing:
            for marks in self._by_target.values():
                marks.pop(uri, None)
            self._merge()

    def _merge(self) -> None:
        by_uri: dict[str, RunMarks] = {}
        for marks_of_target in self._by_target.values():
            for uri, marks in marks_of_target.items():
                by_uri[uri] = by_uri.get(uri, RunMarks()).with_those_of(marks)
        self.by_uri = by_uri


_PATIENCE = 1.0
"""Seconds that an answer with places in several files waits until documents use the present versions of libraries."""


class AtPosition(Protocol):
    """Parameters of a request for a position in a document."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...

    @property
    def position(self) -> types.Position:
        """The position in the negotiated encoding."""
        ...


class Cursor(NamedTuple):
    """A position in a document, with the snapshot that a feature reads; `offset` is in code points."""

    snapshot: Snapshot
    uri: str
    file: SourceFile
    offset: int


class Kind(Enum):
    """What has changed; a change without a URI may concern any file."""

    CONSENT = auto()
    """The user consented to an effect of settings."""
    SETTINGS = auto()
    DEFINITIONS = auto()
    """The catalogue of a project."""
    FILES = auto()
    """Files of the workspace, on disk."""
    READ = auto()
    """A document was opened, and is read now."""
    EDITED = auto()
    CLOSED = auto()
    SAVED = auto()
    """A document was saved, or its file changed on disk."""
    INPUTS = auto()
    """The choice or the text of a library or payload of a document."""
    MARKS = auto()
    """The marks of runs in a file."""
    BUILT = auto()
    """The text of a script that a program built."""
    CURSOR = auto()
    """The position of the last request, where the user's cursor is or was."""


class Session:
    """The server's state. Document queues read it while the event loop's thread and other queues change it.

    So copy dictionaries as a whole before iterating over them.
    """

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self.queues = DocumentQueues()
        self.open_documents = OpenDocuments()
        self.catalogue = Catalogue.shipped()
        self.encoding = PositionEncoding.UTF16
        self.documents: dict[str, Document] = {}
        """The open documents that were read, by URI."""
        self.files: dict[str, SourceFile] = {}
        """Files of the workspace and libraries that are not open, by URI."""
        self.descriptions = BindingDescriptions.installed()
        self.marks = MarkStore()
        """Marks of the last runs."""
        self.built = BuiltScripts()
        """The scripts that programs built; replaced, never mutated."""
        self.last_position: types.TextDocumentPositionParams | None = None
        """Where the last request for a position was, which `Kind.CURSOR` announces."""
        self._unsettled: dict[str, float] = {}
        """Deadlines (`time.monotonic`) to wait for documents with outdated versions of libraries, by their URIs."""
        self._followers: defaultdict[Kind, list[Callable[[str], Coroutine[Any, Any, None] | None]]] = defaultdict(list)
        self._following: set[asyncio.Future[Any]] = set()
        """Coroutines of followers: the event loop holds weak references only."""

    def follow(self, kind: Kind, follower: Callable[[str], Coroutine[Any, Any, None] | None]) -> None:
        """Call `follower`, a function or coroutine, with the URI of each change of this kind, "" for all files."""
        self._followers[kind].append(follower)

    def changed(self, uri: str, kind: Kind) -> asyncio.Future[Any]:
        """Call the followers of a change in their order; call this in the event loop's thread.

        The result is done when all coroutines among them are, and need not be awaited.
        """
        work = [following for follower in self._followers[kind] if (following := follower(uri)) is not None]
        done = asyncio.gather(*work)
        self._following.add(done)
        done.add_done_callback(self._following.discard)
        return done

    def snapshot(self, catalogue: Catalogue | None = None) -> Snapshot:
        """Return a snapshot of all files; open documents hide the files on disk.

        `catalogue` is that of the requested document, for features without a cursor in it.
        """
        return Snapshot(
            {**self.files, **self.open_files()}, catalogue or self.catalogue, self.descriptions, self.marks.by_uri
        )

    def file(self, uri: str) -> SourceFile | None:
        """Return the present version of a document or file, or None if not known."""
        document = self.documents.get(uri)
        return document.file if document is not None else self.files.get(uri)

    def queue_of(self, uri: str) -> DocumentQueue:
        """Return the queue of an open document, a new one for others."""
        opened = self.open_documents.get(uri)
        return opened.queue if opened is not None else DocumentQueue()

    def closed_files(self) -> dict[str, SourceFile]:
        """Return the known files that are not open, by URI."""
        return {uri: file for uri, file in dict(self.files).items() if uri not in self.documents}

    def open_files(self) -> dict[str, SourceFile]:
        """Return the present versions of open documents, by URI."""
        return {uri: document.file for uri, document in dict(self.documents).items()}

    def cursor(self, params: AtPosition, *, in_window: bool = False) -> Cursor | None:
        """Return the cursor of a request, which says whether it can answer from a window of a long section.

        None for an unknown document, a section that is not parsed, and text of a program outside of scripts.
        """
        uri = params.text_document.uri
        file = self.file(uri)
        if file is None:
            return None
        offset = to_offset(file, params.position, self.encoding)
        context = file.context_at(offset)
        is_read = not context.section.is_left_out or (in_window and context.readable[0].window is not None)
        return Cursor(self.snapshot(), uri, file, offset) if is_read and file.holds_script_at(offset) else None

    def built_cursor(self, params: AtPosition) -> Cursor | None:
        """Return the cursor at the operation of a built script that the call at the position in a program made.

        Of several operations it is the last one. None if the call made none.
        """
        uri = params.text_document.uri
        file = self.file(uri)
        offset = to_offset(file, params.position, self.encoding) if file is not None else 0
        made = self.built.made_at(uri, file, offset) if file is not None else None
        if made is None:
            return None
        return Cursor(self.snapshot(), made.script.uri, made.script.file, made.operations[-1].offset)

    def settled_cursor(self, params: AtPosition, *, in_window: bool = False) -> Cursor | None:
        """Return `cursor` for a request whose answer has places in several files.

        Raises NotYetError if the document still uses an older version of a library than the snapshot: references
        between the two cannot be resolved. After `_PATIENCE` seconds without an update the library is left out.
        """
        cursor = self.cursor(params, in_window=in_window)
        if cursor is None or not cursor.file.libraries:
            return cursor
        known = {id(file.sections) for file in cursor.snapshot.files.values()}
        if all(id(library.sections) in known for library in cursor.file.libraries):
            self._unsettled.pop(cursor.uri, None)
        elif time.monotonic() < self._unsettled.setdefault(cursor.uri, time.monotonic() + _PATIENCE):
            raise NotYetError(None, 0)
        return cursor

    def range(self, uri: str, span: FileSpan) -> types.Range:
        """Return the range of `span` in a known file. Raises ContentModified if the file is no longer known."""
        file = self.file(uri)
        if file is None:
            raise ContentModified("a document that the answer names was closed")
        return to_range(file, span, self.encoding)

    def location(self, location: Location) -> types.Location:
        """Return an LSP location in a known file. Raises ContentModified as `range` does."""
        return types.Location(location.uri, self.range(location.uri, location.span))
