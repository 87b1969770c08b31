"""Correspondence between handles of a script, operations of the payload, and lines of the payload after a run.

Also the texts that show the contents of handles in the last run. A `moment` is one execution of a handle's definition.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.context import InSection
from tdls.ide.cursor.target import ValueTarget, placed_entity_at, target_of
from tdls.ide.markdown import code, foreign, paragraphs, section
from tdls.ide.runs.match_report import reason_text
from tdls.ide.runs.run_report import uri_of_name, word_at
from tdls.ide.snapshot import Location
from tdls.semantic.handle_types import HandleKind
from tdls.structs import Struct
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.ide.cursor.target import PlacedEntity
    from tdls.ide.run_marks import HandleMark
    from tdls.ide.snapshot import Snapshot
    from tdls.interpreter.model import Contents, HandleContents, PayloadItem, Place

EMPTY = "empty"
NOTHING_MATCHED = "0 operations"
NOT_FOUND = "not found"
_MOST_NAMES = 3
_MOST_ITEMS = 12
_MOST_LINKS = 4
_WORDS = {HandleKind.OPERATIONS: "operation", HandleKind.VALUES: "value", HandleKind.PARAMETERS: "parameter"}


def label(mark: HandleMark) -> str:
    """Return a short label for all handles of `mark`: ``3 x linalg.matmul``, ``empty``, ``not reached``."""
    if mark.reason:
        return NOTHING_MATCHED if any(handle.moments for handle in mark.handles) else NOT_FOUND
    if len(mark.handles) == 1:
        return _label(mark.handles[0])
    return ", ".join(f"#{number}: {_label(handle)}" for number, handle in enumerate(mark.handles))


def label_of(mark: HandleMark, number: int | None) -> str:
    """Return a short label for one handle of `mark`: result `number` (0-based) of a group, None if it is no group."""
    own = [handle for handle in mark.handles if handle.number == number]
    return _label(own[0]) if own else label(mark)


def description(mark: HandleMark, number: int | None = None) -> str:
    """Return Markdown with the contents of the handles of `mark`, or of result `number`, with links to the payload."""
    handles = [handle for handle in mark.handles if number is None or handle.number == number] or list(mark.handles)
    if len(handles) > 1:
        contents = section("In the last run", (f"#{place}: {_contents(each)}" for place, each in enumerate(handles)))
    elif handles[0].executions > 1:
        contents = section("In the last run", _executions(handles[0]))
    else:
        contents = f"**In the last run**: {_contents(handles[0])}"
    return paragraphs(
        contents,
        reason_text(mark) if mark.reason else "",
        f"It is empty since {mark.why_empty}." if mark.why_empty and not mark.reason else "",
    )


def _label(handle: HandleContents) -> str:
    if not handle.moments:
        return "not reached"
    times = f", {handle.executions} times" if handle.executions > 1 else ""
    labels = dict.fromkeys(_moment(handle.kind, moment) for moment in handle.moments)
    if len(labels) == 1:
        return f"{next(iter(labels))}{times}"
    counts = [moment.count for moment in handle.moments]
    least, most = min(counts), max(counts)
    return f"{counted(most, _WORDS[handle.kind]) if least == most else f'{least} to {most}'}{times}"


def _moment(kind: HandleKind, moment: Contents) -> str:
    if not moment.count:
        return EMPTY
    if kind is HandleKind.VALUES:
        return counted(moment.count, _WORDS[kind])
    shown = list(moment.names.items())[:_MOST_NAMES]
    texts = [name if kind is HandleKind.PARAMETERS and count == 1 else f"{count} x {name}" for name, count in shown]
    return ", ".join(texts) + (", ..." if len(moment.names) > _MOST_NAMES else "")


def _executions(handle: HandleContents) -> Iterator[str]:
    for number, moment in enumerate(handle.moments[:_MOST_ITEMS], 1):
        yield f"{number}. time: {foreign(_moment(handle.kind, moment))}"
    if handle.executions > _MOST_ITEMS:
        yield f"... {handle.executions} times in all"


def _contents(handle: HandleContents) -> str:
    """Return the contents of a handle in one line: ``2 linalg.matmul (links)``."""
    if not handle.moments:
        return "the operation that defines it was not reached"
    if handle.executions > 1:
        return foreign(_label(handle))
    moment = handle.moments[0]
    if not moment.count:
        return EMPTY
    items: dict[str, list[PayloadItem]] = {}
    for item in moment.items:
        items.setdefault(item.name, []).append(item)
    names = moment.names or {name: len(own) for name, own in items.items()}
    shown = [_named(handle.kind, name, count, items.get(name, [])) for name, count in names.items()]
    return ", ".join(shown[:_MOST_ITEMS]) + (", ..." if len(shown) > _MOST_ITEMS else "")


def _named(kind: HandleKind, name: str, count: int, items: list[PayloadItem]) -> str:
    """Return `count` items of one name, with links to the first ones."""
    links = [_link(item.place) for item in items if item.place is not None]
    more = ["..."] if len(links) > _MOST_LINKS or len(links) < count else []
    places = f" ({', '.join([*links[:_MOST_LINKS], *more])})" if links else ""
    if kind is HandleKind.PARAMETERS and count == 1:
        return f"{code(name)}{places}"
    return f"{counted(count, 'value') + ' of' if kind is HandleKind.VALUES else count} {code(name)}{places}"


def _link(place: Place) -> str:
    path = Path(place.file)
    text = f"{foreign(path.name)}:{place.line}"
    return f"[{text}]({path.as_uri()}#L{place.line})" if path.is_absolute() else text


def marked_handle(snapshot: Snapshot, placed: PlacedEntity) -> tuple[Location, HandleMark] | None:
    """Return the definition of the handle at `placed`, and its mark from the last run; None if it has none."""
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
    """Return the location of the word at `place`; None if the snapshot does not have the file."""
    uri = uri_of_name(place.file)
    file = snapshot.file(uri)
    return Location(uri, word_at(file, place.line, place.column)) if file is not None else None


def origin_text(place: Place) -> str:
    """Return a Markdown sentence that links an operation of a transformed payload to its source."""
    path = Path(place.file)
    text = f"{foreign(path.name)}:{place.line}"
    return f"Came from [{text}]({path.as_uri()}#L{place.line})." if path.is_absolute() else f"Came from {text}."


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
        for moment in handle.moments:
            yield from moment.items
