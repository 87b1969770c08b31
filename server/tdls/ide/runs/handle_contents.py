"""What a handle stood for in the last run, in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tdls.ide.markdown.foreign import foreign
from tdls.ide.markdown.pieces import code, paragraphs, section
from tdls.ide.runs.match_report import reason_text
from tdls.semantic.handle_types import HandleKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.run_marks import HandleMark
    from tdls.interpreter.model import Contents, HandleContents, PayloadItem, Place

EMPTY = "empty"
NOTHING_MATCHED = "0 operations"
NOT_FOUND = "not found"
_MOST_NAMES = 3
_MOST_ITEMS = 12
_WORDS = {HandleKind.OPERATIONS: "operation", HandleKind.VALUES: "value", HandleKind.PARAMETERS: "parameter"}


def label(mark: HandleMark) -> str:
    """Return a few words for all handles of `mark`: ``3 x linalg.matmul``, ``empty``, ``not reached``."""
    if mark.reason:
        return NOTHING_MATCHED if any(handle.moments for handle in mark.handles) else NOT_FOUND
    if len(mark.handles) == 1:
        return _label(mark.handles[0])
    return ", ".join(f"#{number}: {_label(handle)}" for number, handle in enumerate(mark.handles))


def label_of(mark: HandleMark, number: int | None) -> str:
    """Return a few words for one handle of `mark`: the result with this number of a group, None if it is no group."""
    own = [handle for handle in mark.handles if handle.number == number]
    return _label(own[0]) if own else label(mark)


def description(mark: HandleMark) -> str:
    """Return Markdown that lists what the handles of `mark` stood for, with links to the payload."""
    titles = ["In the last run", *(f"#{number} in the last run" for number in range(1, len(mark.handles)))]
    sections = (section(title, _lines(handle)) for title, handle in zip(titles, mark.handles, strict=True))
    if mark.reason:
        return paragraphs(*sections, reason_text(mark))
    return paragraphs(*sections, mark.why_empty and f"It is empty since {mark.why_empty}.")


def _label(handle: HandleContents) -> str:
    if not handle.moments:
        return "not reached"
    times = f", {handle.executions} times" if handle.executions > 1 else ""
    labels = dict.fromkeys(_moment(handle.kind, moment) for moment in handle.moments)
    if len(labels) == 1:
        return f"{next(iter(labels))}{times}"
    counts = [moment.count for moment in handle.moments]
    least, most = min(counts), max(counts)
    return f"{_counted(most, _WORDS[handle.kind]) if least == most else f'{least} to {most}'}{times}"


def _moment(kind: HandleKind, moment: Contents) -> str:
    if not moment.count:
        return EMPTY
    if kind is HandleKind.VALUES:
        return _counted(moment.count, _WORDS[kind])
    shown = list(moment.names.items())[:_MOST_NAMES]
    texts = [name if kind is HandleKind.PARAMETERS and count == 1 else f"{count} x {name}" for name, count in shown]
    return ", ".join(texts) + (", ..." if len(moment.names) > _MOST_NAMES else "")


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _lines(handle: HandleContents) -> Iterator[str]:
    if not handle.moments:
        yield "the operation that defines it was not reached"
        return
    for number, moment in enumerate(handle.moments[:_MOST_ITEMS], 1):
        prefix = f"{number}. time: " if handle.executions > 1 else ""
        if not moment.count or handle.executions > 1:
            yield prefix + foreign(_moment(handle.kind, moment))
        else:
            yield from map(_item, moment.items[:_MOST_ITEMS])
            if moment.count > _MOST_ITEMS:
                yield f"... {_counted(moment.count, _WORDS[handle.kind])} in all"
    if handle.executions > _MOST_ITEMS:
        yield f"... {handle.executions} times in all"


def _item(item: PayloadItem) -> str:
    return code(item.name) if item.place is None else f"{code(item.name)} at {_link(item.place)}"


def _link(place: Place) -> str:
    path = Path(place.file)
    text = f"{foreign(path.name)}:{place.line}"
    return f"[{text}]({path.as_uri()}#L{place.line})" if path.is_absolute() else text
