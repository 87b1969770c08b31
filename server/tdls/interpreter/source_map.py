"""The way back from the places that MLIR names to those in the texts as people wrote them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tdls.interpreter.model import Place
from tdls.interpreter.output.locations import Located, first_place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.interpreter.model import RunDiagnostic, TextFile
    from tdls.interpreter.script import Script

INLINE = "-"
"""What MLIR calls a text that has no file."""


class SourceMap:
    """Knows what MLIR reads in a run, and what it calls each text.

    Whatever MLIR says of a place goes through here once; behind that there are only places that people know.
    """

    def __init__(self) -> None:
        self._files: dict[str, TextFile | Script] = {}

    def add(self, called: str, file: TextFile | Script) -> None:
        """Note that MLIR calls `file` so."""
        self._files[called] = file

    def place(self, found: Located) -> Place:
        """Return where a place that MLIR names is; the same for texts that were not added."""
        file = self._files.get(found.file)
        if file is None:
            return Place(*found)
        return Place(file.name, found.line, file.original_column(found.line, found.column))

    def places(self, found: Iterable[Located | None]) -> list[Place | None]:
        """Return where places that MLIR names are, if it names any."""
        return [place and self.place(place) for place in found]

    def first_place(self, location: str) -> Place | None:
        """Return the first place in a location as MLIR prints it; None without any."""
        found = first_place(location)
        return self.place(found) if found is not None else None

    def diagnostics(self, diagnostics: Iterable[RunDiagnostic]) -> tuple[RunDiagnostic, ...]:
        """Return what MLIR says with the places where it is, and the names of texts in its words."""
        return tuple(map(self._diagnostic, diagnostics))

    def _diagnostic(self, diagnostic: RunDiagnostic) -> RunDiagnostic:
        message = diagnostic.message
        for called, file in self._files.items():
            if called != INLINE:
                message = message.replace(called, file.name)
        notes = self.diagnostics(diagnostic.notes)
        if diagnostic.file is None:
            return replace(diagnostic, message=message, notes=notes)
        place = self.place(Located(diagnostic.file, diagnostic.line, diagnostic.column))
        return replace(diagnostic, message=message, file=place.file, column=place.column, notes=notes)
