"""Code lenses: what is shown above named sequences, and what clicking on it does."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.file.mentions import key_of_mentioned, mentioned_symbols, mentions_transform
from tdls.ide.navigation.references import references
from tdls.ide.symbols.outline import OutlineKind, flat, outline_of
from tdls.interpreter.entry_points import entry_points
from tdls.settings.model import CodeLensSettings

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.snapshot import Location, Snapshot
    from tdls.ide.symbols.outline import OutlineEntry
    from tdls.interpreter.entry_points import EntryPoint
    from tdls.text.span import FileSpan


_ALL = CodeLensSettings()


class LensKind(Enum):
    """What a lens is for."""

    RUN = "run"
    """It runs the script from an entry point and shows the transformed payload."""
    DIFF = "diff"
    """It runs the script from an entry point and shows how the payload changes."""
    REFERENCES = "references"
    """It counts the references to a symbol and shows them."""


@dataclass(frozen=True, slots=True)
class CodeLens:
    """A lens above what is written at `span`; `entry` is the entry point that it runs."""

    kind: LensKind
    span: FileSpan
    entry: EntryPoint | None = None


def code_lenses(snapshot: Snapshot, uri: str, options: CodeLensSettings = _ALL) -> list[CodeLens]:
    """Return the lenses of a file in the order of the text, without what they show: see `lens_references`."""
    file = snapshot.file(uri)
    if file is None:
        return []
    runs = _runs(file) if options.run else []
    references = _references(snapshot, file) if options.references else []
    return sorted((*runs, *references), key=lambda lens: lens.span)


def _runs(file: SourceFile) -> list[CodeLens]:
    kinds = (LensKind.RUN, LensKind.DIFF)
    return [CodeLens(kind, entry.span, entry) for entry in entry_points(file) for kind in kinds]


def _references(snapshot: Snapshot, file: SourceFile) -> list[CodeLens]:
    """Return lenses for the named sequences that seem to be mentioned somewhere else: nobody needs one that says 0."""
    mentions = _mentions(snapshot)
    return [
        CodeLens(LensKind.REFERENCES, context.to_file(entry.selection))
        for context in file.contexts
        if mentions_transform(context.section)
        for entry in _named_sequences(context, mentions)
    ]


def _named_sequences(context: Context, mentions: Counter[str]) -> list[OutlineEntry]:
    found = [entry for entry in flat(outline_of(context)) if entry.kind is OutlineKind.SEQUENCE]
    if len(found) > 1:
        return found
    written = (context.section.text[entry.selection.start : entry.selection.end] for entry in found)
    keys = (key_of_mentioned(name.removeprefix("@").strip('"')) for name in written)
    return [entry for entry, key in zip(found, keys, strict=True) if mentions[key] > 1]


def _mentions(snapshot: Snapshot) -> Counter[str]:
    """Return in how many sections of scripts each symbol is mentioned, as far as texts tell."""
    sections = (piece.section for file in snapshot.files.values() for piece in file.sections.pieces)
    scripts = {id(section): section for section in sections if mentions_transform(section)}
    return Counter(name for section in scripts.values() for name in mentioned_symbols(section))


def lens_references(snapshot: Snapshot, uri: str, offset: int) -> list[Location]:
    """Return the references to the symbol whose name is at `offset`, its definition left out."""
    return references(snapshot, uri, offset, include_definition=False)
