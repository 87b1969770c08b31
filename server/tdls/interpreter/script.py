"""A script as it goes through a run: planned, wrapped, made to tell, read by MLIR, and spoken of in the result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.interpreter.placed_edits import PlacedEdits
from tdls.syntax.sections.boundaries import SplitMode
from tdls.system import cached_property
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.catalogue.catalogue import Catalogue
    from tdls.interpreter.placed_edits import Insertion


@dataclass(frozen=True)
class Script:
    """A text with transform operations that MLIR reads for a run, and what is known of its operations.

    Diagnostics call it by its `name`; it need not be on disk. Whatever is put into it on its way to MLIR goes through
    `inserting`, so that places in `text` are known in the `original`, which is what people wrote. Both have the same
    lines; places of the original are those that people and editors speak of.
    """

    name: str
    text: str
    catalogue: Catalogue = field(compare=False, repr=False)
    source: SourceFile | None = field(default=None, compare=False, repr=False)
    """The text as somebody has read it already; of a text of several parts it has all."""

    edits: PlacedEdits | None = field(default=None, compare=False, repr=False)
    """What made the text of the original, if that was another one."""

    @classmethod
    def of(cls, name: str, source: SourceFile) -> Script:
        """Return the script that was read as `source`."""
        return cls(name, source.text, source.catalogue, source)

    @cached_property
    def file(self) -> SourceFile:
        """The text, read; to be asked of scripts of one part only."""
        return self.source or SourceFile.of(self.text, self.catalogue, split=SplitMode.NEVER)

    def inserting(self, insertions: Iterable[Insertion]) -> Script:
        """Return the script with `insertions` into its text."""
        edits = self._edits.inserting(insertions)
        return Script(self.name, edits.text, self.catalogue, edits=edits)

    @property
    def original(self) -> str:
        """The text as people wrote it."""
        return self._edits.original

    def edited_offset(self, offset: int) -> int:
        """Return where the code point at `offset` of the original is in the text."""
        return self._edits.edited_offset(offset)

    def original_offset(self, offset: int) -> int:
        """Return the offset in the original for one in the text."""
        return self._edits.original_offset(offset)

    def original_span(self, span: FileSpan) -> FileSpan:
        """Return the place in the original for one in the text; empty for what was inserted."""
        return FileSpan(self.original_offset(span.start), self.original_offset(span.end))

    def original_column(self, line: int, column: int) -> int:
        """Return the column in the original for one in the text; both count as `PlacedEdits` says."""
        return self._edits.original_column(line, column)

    @cached_property
    def _edits(self) -> PlacedEdits:
        return self.edits or PlacedEdits(self.text)
