"""Where the thing at the cursor is named in its file, and what happens to it there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.ide.cursor.linkage import key_of, linked
from tdls.ide.cursor.occurrences import Role, occurrences, symbol_occurrences
from tdls.ide.cursor.target import SymbolTarget, placed_entity_at, target_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.cursor.occurrences import Occurrence
    from tdls.ide.cursor.target import Target
    from tdls.ide.snapshot import Snapshot
    from tdls.text.span import FileSpan


class Highlight(NamedTuple):
    """A place in the file, and whether it defines, consumes or only uses the thing."""

    span: FileSpan
    role: Role


def document_highlight(snapshot: Snapshot, uri: str, offset: int) -> list[Highlight]:
    """Return where the value, block, symbol or alias at `offset` is named in its file, in the order of the text."""
    placed = placed_entity_at(snapshot, uri, offset)
    target = target_of(placed) if placed is not None else None
    if placed is None or target is None:
        return []
    file = placed.context.file
    found = _in_file(snapshot, file, target)
    spans = {occurrence.place.in_file: occurrence.role for occurrence in found}
    return [Highlight(span, role) for span, role in sorted(spans.items(), key=lambda item: item[0])]


def _in_file(snapshot: Snapshot, file: SourceFile, target: Target) -> Iterator[Occurrence]:
    if not isinstance(target, SymbolTarget):
        return occurrences(snapshot, target)
    keys = {key_of(definition) for definition in linked(snapshot, target.definition)}
    return symbol_occurrences(file, target.name, keys)
