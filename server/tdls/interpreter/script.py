"""A script as it goes through a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.syntax.sections.stretches import SplitMode
from tdls.system.shared import cached_property

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue


@dataclass(frozen=True)
class Script:
    """A text with transform operations that MLIR reads for a run, and what is known of its operations.

    Diagnostics call it by its `name`; it need not be on disk.
    """

    name: str
    text: str
    catalogue: Catalogue = field(compare=False, repr=False)
    source: SourceFile | None = field(default=None, compare=False, repr=False)
    """The text as somebody has read it already; of a text of several parts it has all."""

    @classmethod
    def of(cls, name: str, source: SourceFile) -> Script:
        """Return the script that was read as `source`."""
        return cls(name, source.text, source.catalogue, source)

    @cached_property
    def file(self) -> SourceFile:
        """The text, read; to be asked of scripts of one part only."""
        return self.source or SourceFile.of(self.text, self.catalogue, split=SplitMode.NEVER)
