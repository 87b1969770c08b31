"""Whole answers as text, to be compared with snapshots: see CONTRIBUTING.md on how to write these anew."""

from __future__ import annotations

import textwrap
from itertools import groupby
from typing import TYPE_CHECKING

from ide.with_cursor import URI, parse_cursor, snapshot_of
from tdls.analysis.handles.findings import stale_handles
from tdls.ide.completion.completion import completion
from tdls.ide.hover.hover import hover

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.ide.completion.items import CompletionItem
    from tdls.ide.snapshot import Snapshot

_IN_FULL = 12
"""So many items are shown with all that they say, the others with their labels."""
_NOTHING = "nothing"


def hover_at(marked: str, **others: str) -> str:
    """Return the hovered text at the cursor, and the hover."""
    text, offset = parse_cursor(marked)
    return hover_in(snapshot_of(text, **others), offset)


def hover_in(snapshot: Snapshot, offset: int) -> str:
    """Return the hovered text at `offset`, and the hover, after the handles of the script are known."""
    stale_handles(snapshot.files[URI].context_at(offset))
    found = hover(snapshot, URI, offset)
    return f"about {snapshot.files[URI].slice(found.span)!r}\n\n{found.markdown}" if found is not None else _NOTHING


def completion_at(marked: str, **others: str) -> str:
    """Return the proposals at the cursor, in order."""
    text, offset = parse_cursor(marked)
    return completion_in(snapshot_of(text, **others), offset)


def completion_in(snapshot: Snapshot, offset: int) -> str:
    """Return the proposals at `offset`, in order."""
    found = completion(snapshot, URI, offset)
    if not found.items:
        return _NOTHING
    text = snapshot.files[URI].text
    replaced = [text[item.span.start : item.span.end] for item in found.items]
    lines = [f"in place of {replaced[0]!r}{', and there may be more' if found.is_incomplete else ''}"]
    for item, old in zip(found.items[:_IN_FULL], replaced, strict=False):
        lines += _item(item, "" if old == replaced[0] else f"in place of {old!r}")
    lines += _labels(found.items[_IN_FULL:])
    return "\n".join(lines)


def _item(item: CompletionItem, place: str) -> Iterator[str]:
    said = (
        item.kind.value,
        "deprecated" if item.deprecated else "",
        "preselected" if item.preselect else "",
        f"found by {item.filter_text!r}" if item.filter_text != item.label else "",
        place,
    )
    yield f"{item.label}  ({', '.join(filter(None, said))})"
    texts = {"detail": item.detail, "note": item.note, "summary": item.summary, "snippet": item.snippet}
    texts["text"] = item.text if item.text != item.label else None
    for name, text in texts.items():
        if text:
            yield from textwrap.indent(f"{name}: {text}", "      ").removeprefix("  ").split("\n")


def _labels(items: Sequence[CompletionItem]) -> Iterator[str]:
    """Yield the labels, those of one dialect or extension together as long as they are neighbours."""
    for prefix, group in groupby(items, key=lambda item: item.label.rpartition(".")[0]):
        names = "  ".join(item.label.removeprefix(f"{prefix}.") for item in group)
        head = f"{prefix}." if prefix else ""
        yield from textwrap.wrap(f"{head} {names}".strip(), 110, subsequent_indent="    ", break_on_hyphens=False)
