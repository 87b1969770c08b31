"""The outline of a file: modules, named sequences, matchers and functions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.meaning.matchers import matcher_names
from tdls.ide.symbols.outline import OutlineKind, outline_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.snapshot import Snapshot
    from tdls.ide.symbols.outline import OutlineEntry
    from tdls.text.span import FileSpan


class SymbolKind(Enum):
    """What a symbol of the outline is."""

    MODULE = "module"
    SEQUENCE = "sequence"
    MATCHER = "matcher"
    """A named sequence that is used as a matcher and promises to consume nothing."""
    FUNCTION = "function"
    SCRIPT = "script"
    """An unnamed top-level script."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class DocumentSymbol:
    """A named operation. `detail` is its signature, `selection` the place of its name inside `span`."""

    name: str
    kind: SymbolKind
    detail: str
    span: FileSpan
    selection: FileSpan
    children: tuple[DocumentSymbol, ...]


def document_symbols(snapshot: Snapshot, uri: str) -> list[DocumentSymbol]:
    """Return the outermost symbols of a file in the order of the text. Reads only what the first lines do not tell."""
    file = snapshot.file(uri)
    return _Outline(file).symbols(None) if file is not None else []


class _Outline:
    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._matchers = matcher_names(file)
        self._levels: dict[int | None, list[Context]] = {}
        """Sections by the identity of the frame around them."""
        for context in file.contexts:
            frame = file.sections.pieces[context.index].frame
            self._levels.setdefault(id(frame) if frame is not None else None, []).append(context)

    def symbols(self, level: int | None) -> list[DocumentSymbol]:
        """Return the symbols of the sections of one level."""
        return [symbol for context in self._levels.get(level, ()) for symbol in self._of_section(context)]

    def _of_section(self, context: Context) -> Iterator[DocumentSymbol]:
        inner = self.symbols(id(context.section))
        for entry in outline_of(context):
            symbol = self._symbol(context, entry, inner)
            inner = []
            yield symbol
        yield from inner

    def _symbol(self, context: Context, entry: OutlineEntry, inner: list[DocumentSymbol]) -> DocumentSymbol:
        children = [self._symbol(context, child, []) for child in entry.children]
        signature = entry.signature.shown if entry.signature is not None else ""
        return DocumentSymbol(
            entry.shown,
            kind_of(entry, self._matchers),
            signature or (entry.operation if entry.has_symbol else ""),
            context.to_file(entry.span),
            context.to_file(entry.selection),
            (*children, *inner),
        )


def kind_of(entry: OutlineEntry, matchers: frozenset[str]) -> SymbolKind:
    """Return what `entry` is, where `matchers` are the symbols that are used as such."""
    if entry.kind is OutlineKind.SEQUENCE and entry.is_readonly and entry.name in matchers:
        return SymbolKind.MATCHER
    return _KINDS[entry.kind]


_KINDS: Mapping[OutlineKind, SymbolKind] = {
    OutlineKind.MODULE: SymbolKind.MODULE,
    OutlineKind.SEQUENCE: SymbolKind.SEQUENCE,
    OutlineKind.FUNCTION: SymbolKind.FUNCTION,
    OutlineKind.SCRIPT: SymbolKind.SCRIPT,
    OutlineKind.OTHER: SymbolKind.OTHER,
}
