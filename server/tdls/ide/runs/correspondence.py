"""What belongs together in a script, its payload, and the payload after a run: handles, and what they stood for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tdls.ide.cursor.target import placed_entity_at
from tdls.ide.markdown.foreign import foreign
from tdls.ide.runs.marked_handle import marked_handle
from tdls.ide.runs.run_report import uri_of_name, word_at
from tdls.ide.snapshot import Location

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.ide.run_marks import HandleMark
    from tdls.ide.snapshot import Snapshot
    from tdls.interpreter.model import PayloadItem, Place


@dataclass(frozen=True, slots=True)
class Transformed:
    """A document that shows the payload after a run; `origins` has where each of its lines came from."""

    uri: str
    lines: Sequence[str]
    origins: Sequence[Place | None]


class DocumentLine(NamedTuple):
    """A line of a document, from 0."""

    uri: str
    number: int


@dataclass(frozen=True, slots=True)
class Correspondence:
    """Handles where they are defined, operations where the payload was read from, and lines of transformed payloads."""

    handles: tuple[Location, ...] = ()
    source: tuple[Place, ...] = ()
    after: tuple[DocumentLine, ...] = ()


def of_place(snapshot: Snapshot, shown: Iterable[Transformed], uri: str, offset: int) -> Correspondence:
    """Return what belongs to the handle, or else to the operation of the payload, at `offset` of a file.

    `shown` are the documents with transformed payloads; `uri` may be one of these.
    """
    transformed = list(shown)
    handle = _handle_at(snapshot, uri, offset)
    if handle is not None:
        return _of_handle(handle, transformed)
    return _of_origins(snapshot, transformed, _origins_at(snapshot, transformed, uri, offset))


def location(snapshot: Snapshot, place: Place) -> Location | None:
    """Return where `place` is; None for a file that is not known."""
    uri = uri_of_name(place.file)
    file = snapshot.file(uri)
    return Location(uri, word_at(file, place.line, place.column)) if file is not None else None


def origin_text(place: Place) -> str:
    """Return a sentence in Markdown that leads to where an operation of a transformed payload was written."""
    path = Path(place.file)
    text = f"{foreign(path.name)}:{place.line}"
    return f"Came from [{text}]({path.as_uri()}#L{place.line})." if path.is_absolute() else f"Came from {text}."


def lines_from(shown: Iterable[Transformed], places: Iterable[Place]) -> Iterator[DocumentLine]:
    """Yield the lines of transformed payloads that came from `places`."""
    wanted = set(places)
    for document in shown:
        for number, origin in enumerate(document.origins):
            if origin in wanted:
                yield DocumentLine(document.uri, number)


def _handle_at(snapshot: Snapshot, uri: str, offset: int) -> tuple[Location, HandleMark] | None:
    placed = placed_entity_at(snapshot, uri, offset)
    return marked_handle(snapshot, placed) if placed is not None else None


def _of_handle(handle: tuple[Location, HandleMark], shown: list[Transformed]) -> Correspondence:
    defined, mark = handle
    items = list(dict.fromkeys(_items(mark)))
    source = dict.fromkeys(item.place for item in items if item.place is not None)
    after = dict.fromkeys(line for item in items for line in _lines_of(shown, item))
    return Correspondence((defined,), tuple(source), tuple(after))


def _lines_of(shown: list[Transformed], item: PayloadItem) -> Iterator[DocumentLine]:
    """Yield the lines with operations of the name of `item` that came from its place, such as all copies of a loop."""
    texts = {document.uri: document.lines for document in shown}
    for line in lines_from(shown, [item.place] if item.place is not None else []):
        if item.name in texts[line.uri][line.number]:
            yield line


def _of_origins(snapshot: Snapshot, shown: list[Transformed], origins: list[Place]) -> Correspondence:
    wanted = set(origins)
    handles = (
        Location(uri, mark.span)
        for uri, marks in snapshot.marks.items()
        for mark in marks.handles
        if any(item.place in wanted for item in _items(mark))
    )
    return Correspondence(tuple(handles), tuple(origins), tuple(lines_from(shown, origins)))


def _origins_at(snapshot: Snapshot, shown: list[Transformed], uri: str, offset: int) -> list[Place]:
    """Return the places of payload operations that the line at `offset` holds, or came from."""
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
        for moment in handle.moments:
            yield from moment.items
