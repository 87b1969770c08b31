"""Code lenses: what is shown above named sequences, and what clicking on it does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.source_file import mentions_transform
from tdls.ide.outline import Entry, OutlineKind, outline_of
from tdls.ide.references import references

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.snapshot import Location, Snapshot
    from tdls.text.span import Span


class LensKind(Enum):
    """What a lens is for."""

    REFERENCES = "references"
    """It counts the references to a symbol and shows them."""


@dataclass(frozen=True, slots=True)
class CodeLens:
    """A lens above the symbol `symbol`, which is written at `span`."""

    kind: LensKind
    symbol: str
    span: Span


def code_lenses(snapshot: Snapshot, uri: str) -> list[CodeLens]:
    """Return the lenses of a file in the order of the text, without what they show: see `lens_references`."""
    file = snapshot.file(uri)
    if file is None:
        return []
    return [
        CodeLens(LensKind.REFERENCES, entry.name, file.to_file(context, entry.selection))
        for context in file.contexts
        if mentions_transform(context.section)
        for entry in _flat(outline_of(context))
        if entry.kind is OutlineKind.SEQUENCE
    ]


def lens_references(snapshot: Snapshot, uri: str, offset: int) -> list[Location]:
    """Return the references to the symbol whose name is at `offset`, its definition left out."""
    return references(snapshot, uri, offset, include_definition=False)


def _flat(entries: tuple[Entry, ...]) -> Iterator[Entry]:
    for entry in entries:
        yield entry
        yield from _flat(entry.children)
