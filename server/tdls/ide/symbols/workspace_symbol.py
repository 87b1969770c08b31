"""Symbols of all files, found by a few letters of their names."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nsmallest
from typing import TYPE_CHECKING

from tdls.analysis.meaning.matchers import matcher_names
from tdls.ide.snapshot import Location
from tdls.ide.symbols.document_symbol import SymbolKind, kind_of
from tdls.ide.symbols.outline import outline_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.snapshot import Snapshot
    from tdls.ide.symbols.outline import OutlineEntry

LIMIT = 500
"""More symbols than anybody reads are not returned."""


@dataclass(frozen=True, slots=True)
class WorkspaceSymbol:
    """A symbol and the place of its name; `container` is the symbol around it, or ``""``."""

    name: str
    kind: SymbolKind
    container: str
    location: Location


def workspace_symbols(snapshot: Snapshot, query: str, limit: int = LIMIT) -> list[WorkspaceSymbol]:
    """Return at most `limit` symbols that contain the letters of `query` in their order, the closest ones first.

    The case of letters does not count. Of equally close symbols the shorter one comes first.
    """
    letters = query.removeprefix("@").casefold()
    ranked = (
        ((rank, len(symbol.name), symbol.name, symbol.location), symbol)
        for uri, file in snapshot.files.items()
        for symbol in _symbols(uri, file)
        if (rank := _rank(letters, symbol.name[1:].casefold())) is not None
    )
    return [symbol for _, symbol in nsmallest(limit, ranked, key=lambda pair: pair[0])]


def _rank(letters: str, name: str) -> int | None:
    """Return how far `letters` are from `name`, 0 for equal; None if it does not contain them in their order."""
    if letters == name:
        return 0
    if name.startswith(letters):
        return 1
    at = name.find(letters)
    if at >= 0:
        return 2 if not name[at - 1].isalnum() else 3
    rest = iter(name)
    return 4 if all(letter in rest for letter in letters) else None


def _symbols(uri: str, file: SourceFile) -> Iterator[WorkspaceSymbol]:
    matchers = matcher_names(file)
    for context in file.contexts:
        container = _container(context)
        for entry in outline_of(context):
            yield from _flat(uri, context, entry, container, matchers)


def _flat(
    uri: str, context: Context, entry: OutlineEntry, container: str, matchers: frozenset[str]
) -> Iterator[WorkspaceSymbol]:
    if entry.has_symbol:
        location = Location(uri, context.to_file(entry.selection))
        yield WorkspaceSymbol(entry.shown, kind_of(entry, matchers), container, location)
    for child in entry.children:
        yield from _flat(uri, context, child, entry.shown if entry.has_symbol else container, matchers)


def _container(context: Context) -> str:
    around = context.container
    outer = outline_of(around) if around is not None else ()
    return outer[0].shown if outer and outer[0].has_symbol else ""
