"""Code lenses: what is shown above named sequences, and what clicking on it does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.file.mentions import mentions_transform
from tdls.ide.navigation.references import references
from tdls.ide.symbols.outline import OutlineKind, flat, outline_of
from tdls.interpreter.entry_points import entry_points
from tdls.settings.model import CodeLensSettings

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.snapshot import Location, Snapshot
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
    references = _references(file) if options.references else []
    return sorted((*runs, *references), key=lambda lens: lens.span)


def _runs(file: SourceFile) -> list[CodeLens]:
    kinds = (LensKind.RUN, LensKind.DIFF)
    return [CodeLens(kind, entry.span, entry) for entry in entry_points(file) for kind in kinds]


def _references(file: SourceFile) -> list[CodeLens]:
    return [
        CodeLens(LensKind.REFERENCES, context.to_file(entry.selection))
        for context in file.contexts
        if mentions_transform(context.section)
        for entry in flat(outline_of(context))
        if entry.kind is OutlineKind.SEQUENCE
    ]


def lens_references(snapshot: Snapshot, uri: str, offset: int) -> list[Location]:
    """Return the references to the symbol whose name is at `offset`, its definition left out."""
    return references(snapshot, uri, offset, include_definition=False)
