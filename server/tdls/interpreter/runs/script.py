"""A script with its edits: the one representation that planning, wrapping, instrumentation, runs and results share."""

from __future__ import annotations

from dataclasses import dataclass, field  # noqa: TID251 - not all of its fields count for equality
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.interpreter.runs.placed_edits import PlacedEdits
from tdls.syntax.sections.boundaries import SplitMode
from tdls.system import cached_property
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.catalogue.catalogue import Catalogue
    from tdls.interpreter.runs.placed_edits import Insertion


@dataclass(frozen=True)
class Script:
    """A text with transform operations that MLIR reads for a run, and its parse result.

    `name` is its name in diagnostics; it need not be on disk. All insertions go through `inserting`, which maps
    positions in `text` to positions in `original`, the text as the user wrote it. Both texts have the same lines; users
    and editors refer to positions of the original.
    """

    name: str
    text: str
    catalogue: Catalogue = field(compare=False, repr=False)
    source: SourceFile | None = field(default=None, compare=False, repr=False)
    """The text as parsed by the caller; it has all parts of a text of several parts."""

    edits: PlacedEdits | None = field(default=None, compare=False, repr=False)
    """The edits that produced `text`, if it differs from the original."""

    @classmethod
    def of(cls, name: str, source: SourceFile) -> Script:
        """Return the script whose text was parsed as `source`."""
        return cls(name, source.text, source.catalogue, source)

    @cached_property
    def file(self) -> SourceFile:
        """The parsed text; only for scripts of one part."""
        return self.source or SourceFile.of(self.text, self.catalogue, split=SplitMode.NEVER)

    def inserting(self, insertions: Iterable[Insertion]) -> Script:
        edits = self._edits.inserting(insertions)
        return Script(self.name, edits.text, self.catalogue, edits=edits)

    @property
    def original(self) -> str:
        """The text as the user wrote it."""
        return self._edits.original

    def edited_offset(self, offset: int) -> int:
        """Return the offset in the text of the code point at `offset` of the original."""
        return self._edits.edited_offset(offset)

    def original_offset(self, offset: int) -> int:
        """Return the offset in the original for an offset in the text."""
        return self._edits.original_offset(offset)

    def original_span(self, span: FileSpan) -> FileSpan:
        """Return the span in the original for a span in the text; empty for inserted text."""
        return FileSpan(self.original_offset(span.start), self.original_offset(span.end))

    def original_column(self, line: int, column: int) -> int:
        """Return the column in the original for a column in the text, counted as in `PlacedEdits.original_column`."""
        return self._edits.original_column(line, column)

    @cached_property
    def _edits(self) -> PlacedEdits:
        return self.edits or PlacedEdits(self.text)
