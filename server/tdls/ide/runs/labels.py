"""What a handle holds: in the few words of an inlay hint, and as Markdown with links to the payload.

A `snapshot` is one execution of a handle's definition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.markdown import code, foreign, paragraphs, place_link, section
from tdls.ide.runs.match_report import reason_text
from tdls.semantic.handle_types import NOUNS, HandleKind
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.run_marks import HandleMark
    from tdls.interpreter.runs.model import Contents, HandleContents, PayloadItem


EMPTY = "empty"
NOTHING_MATCHED = "0 operations"
NOT_FOUND = "not found"
_MOST_NAMES = 3
_MOST_ITEMS = 12
_MOST_LINKS = 4


def label(mark: HandleMark) -> str:
    """Return a short label for all handles of `mark`: ``3 x linalg.matmul``, ``empty``, ``not reached``."""
    if mark.reason:
        return NOTHING_MATCHED if any(handle.snapshots for handle in mark.handles) else NOT_FOUND
    if len(mark.handles) == 1:
        return _label(mark.handles[0])
    return ", ".join(f"#{number}: {_label(handle)}" for number, handle in enumerate(mark.handles))


def description(mark: HandleMark, number: int | None = None) -> str:
    """Return Markdown with the contents of the handles of `mark`, or of result `number`, with links to the payload."""
    handles = [handle for handle in mark.handles if number is None or handle.number == number] or list(mark.handles)
    if len(handles) > 1:
        contents = section("In the last run", (f"#{place}: {_contents(each)}" for place, each in enumerate(handles)))
    elif handles[0].executions > 1:
        contents = section("In the last run", _executions(handles[0]))
    else:
        contents = f"**In the last run**: {_contents(handles[0])}"
    return paragraphs(contents, reason_text(mark.reason) if mark.reason else "")


def _label(handle: HandleContents) -> str:
    if not handle.snapshots:
        return "not reached"
    times = f", {handle.executions} times" if handle.executions > 1 else ""
    labels = dict.fromkeys(_snapshot(handle.kind, snapshot) for snapshot in handle.snapshots)
    if len(labels) == 1:
        return f"{next(iter(labels))}{times}"
    counts = [snapshot.count for snapshot in handle.snapshots]
    least, most = min(counts), max(counts)
    return f"{counted(most, NOUNS[handle.kind]) if least == most else f'{least} to {most}'}{times}"


def _snapshot(kind: HandleKind, snapshot: Contents) -> str:
    if not snapshot.count:
        return EMPTY
    if kind is HandleKind.VALUES:
        return counted(snapshot.count, NOUNS[kind])
    shown = list(snapshot.names.items())[:_MOST_NAMES]
    texts = [name if kind is HandleKind.PARAMETERS and count == 1 else f"{count} x {name}" for name, count in shown]
    return ", ".join(texts) + (", ..." if len(snapshot.names) > _MOST_NAMES else "")


def _executions(handle: HandleContents) -> Iterator[str]:
    for number, snapshot in enumerate(handle.snapshots[:_MOST_ITEMS], 1):
        yield f"{number}. time: {foreign(_snapshot(handle.kind, snapshot))}"
    if handle.executions > _MOST_ITEMS:
        yield f"... {handle.executions} times in all"


def _contents(handle: HandleContents) -> str:
    """Return the contents of a handle in one line: ``2 linalg.matmul (links)``."""
    if not handle.snapshots:
        return "the operation that defines it was not reached"
    if handle.executions > 1:
        return foreign(_label(handle))
    snapshot = handle.snapshots[0]
    if not snapshot.count:
        return EMPTY
    items: dict[str, list[PayloadItem]] = {}
    for item in snapshot.items:
        items.setdefault(item.name, []).append(item)
    names = snapshot.names or {name: len(own) for name, own in items.items()}
    shown = [_named(handle.kind, name, count, items.get(name, [])) for name, count in names.items()]
    return ", ".join(shown[:_MOST_ITEMS]) + (", ..." if len(shown) > _MOST_ITEMS else "")


def _named(kind: HandleKind, name: str, count: int, items: list[PayloadItem]) -> str:
    """Return `count` items of one name, with links to the first ones."""
    links = [place_link(item.place) for item in items if item.place is not None]
    more = ["..."] if len(links) > _MOST_LINKS or len(links) < count else []
    places = f" ({', '.join([*links[:_MOST_LINKS], *more])})" if links else ""
    if kind is HandleKind.PARAMETERS and count == 1:
        return f"{code(name)}{places}"
    return f"{counted(count, 'value') + ' of' if kind is HandleKind.VALUES else count} {code(name)}{places}"
