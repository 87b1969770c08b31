"""Correspondence between handles of a script, operations of the payload, and lines of the payload after a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.context import InSection
from tdls.ide.cursor.target import ValueTarget, placed_entity_at, target_of
from tdls.ide.markdown import place_link
from tdls.ide.runs.run_report import uri_of_name, word_at
from tdls.ide.snapshot import Location
from tdls.structs import NamedTuple, Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.ide.cursor.target import PlacedEntity
    from tdls.ide.run_marks import HandleMark
    from tdls.ide.snapshot import Snapshot
    from tdls.interpreter.runs.model import PayloadItem, Place


def marked_handle(snapshot: Snapshot, placed: PlacedEntity) -> tuple[Location, HandleMark] | None:
    """Return the definition of the handle at `placed`, and its mark from the last run, or None if it has none."""
    target = target_of(placed) if snapshot.marks else None
    defined = snapshot.locate(InSection(target.context, target.span)) if isinstance(target, ValueTarget) else None
    marks = snapshot.marks.get(defined.uri) if defined is not None else None
    mark = marks.handle_at(defined.span.start) if marks is not None and defined is not None else None
    return (defined, mark) if mark is not None and defined is not None else None


class Transformed(Struct, frozen=True):
    """A document that shows the payload after a run; `origins` has the source place of each line, None if unknown."""

    uri: str
    lines: Sequence[str]
    origins: Sequence[Place | None]


class DocumentLine(NamedTuple):
    """A line of a document; `number` is 0-based."""

    uri: str
    number: int


class Correspondence(Struct, frozen=True):
    """Definitions of handles, places of operations in the payload's source, and lines of transformed payloads."""

    handles: tuple[Location, ...] = ()
    source: tuple[Place, ...] = ()
    after: tuple[DocumentLine, ...] = ()


def of_place(snapshot: Snapshot, shown: Iterable[Transformed], uri: str, offset: int) -> Correspondence:
    """Return everything related to the handle, or else to the payload operation, at `offset` of a file.

    `shown` are the documents with transformed payloads; `uri` may be one of these.
    """
    transformed = list(shown)
    placed = placed_entity_at(snapshot, uri, offset)
    handle = marked_handle(snapshot, placed) if placed is not None else None
    if handle is not None:
        defined, mark = handle
        items = list(dict.fromkeys(_items(mark)))
        source = dict.fromkeys(item.place for item in items if item.place is not None)
        after = dict.fromkeys(line for item in items for line in _lines_of(transformed, item))
        return Correspondence((defined,), tuple(source), tuple(after))
    return _of_origins(snapshot, transformed, _origins_at(snapshot, transformed, uri, offset))


def location(snapshot: Snapshot, place: Place) -> Location | None:
    """Return the location of the word at `place`, or None if the snapshot does not have the file."""
    uri = uri_of_name(place.file)
    file = snapshot.file(uri)
    return Location(uri, word_at(file, place.line, place.column)) if file is not None else None


def origin_text(place: Place) -> str:
    """Return a Markdown sentence that links an operation of a transformed payload to its source."""
    return f"Came from {place_link(place)}."


def lines_from(shown: Iterable[Transformed], places: Iterable[Place]) -> Iterator[DocumentLine]:
    """Yield the lines of transformed payloads that originate from `places`."""
    sources = set(places)
    for document in shown:
        for number, origin in enumerate(document.origins):
            if origin in sources:
                yield DocumentLine(document.uri, number)


def _lines_of(shown: list[Transformed], item: PayloadItem) -> Iterator[DocumentLine]:
    """Yield the lines with operations named as `item` that originate from its place, such as all copies of a loop."""
    texts = {document.uri: document.lines for document in shown}
    for line in lines_from(shown, [item.place] if item.place is not None else []):
        if item.name in texts[line.uri][line.number]:
            yield line


def _of_origins(snapshot: Snapshot, shown: list[Transformed], origins: list[Place]) -> Correspondence:
    sources = set(origins)
    handles = (
        Location(uri, mark.span)
        for uri, marks in snapshot.marks.items()
        for mark in marks.handles
        if any(item.place in sources for item in _items(mark))
    )
    return Correspondence(tuple(handles), tuple(origins), tuple(lines_from(shown, origins)))


def _origins_at(snapshot: Snapshot, shown: list[Transformed], uri: str, offset: int) -> list[Place]:
    """Return the source places of the payload operations in the line at `offset`, of the source or of its result."""
    file = snapshot.file(uri)
    if file is None:
        return []
    line = file.position(offset).line
    for document in shown:
        if document.uri == uri:
            origin = document.origins[line] if line < len(document.origins) else None
            return [origin] if origin is not None else []
    known = (origin for document in shown for origin in document.origins)
    items = (item.place for marks in snapshot.marks.values() for mark in marks.handles for item in _items(mark))
    places = dict.fromkeys(place for place in (*known, *items) if place is not None)
    return [place for place in places if place.line == line + 1 and uri_of_name(place.file) == uri]


def _items(mark: HandleMark) -> Iterator[PayloadItem]:
    for handle in mark.handles:
        for snapshot in handle.snapshots:
            yield from snapshot.items
