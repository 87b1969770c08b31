"""The texts that MLIR reads in a run, as temporary files, and the positions in the user's texts for those in them."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.interpreter.runs.locations import Located, first_place
from tdls.interpreter.runs.model import Place
from tdls.semantic.transform_dialect import is_transform_name
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from tdls.interpreter.runs.model import RunDiagnostic, TextFile
    from tdls.interpreter.runs.script import Script

_NEAR = 2_000
"""Maximum number of characters of the text before and behind a position."""
INLINE = "-"
"""MLIR's name for a text without a file."""
_PRINTED_OPERATION = re.compile(r'see current operation:\s*(?:%[^"\n]* = )?"(?P<name>[\w.$]+)"')
"""The beginning of a note with an operation in the generic form, which MLIR adds to errors of verifiers."""
_SHAPED = re.compile(r"(?:tensor|memref|vector)<[^<>]*>")


class SourceMap:
    """The texts that MLIR reads in a run, by the names that MLIR gives to them.

    Each position that MLIR reports goes through here once; later code sees only positions in the user's texts.
    """

    def __init__(self) -> None:
        self._files: dict[str, TextFile | Script] = {}
        self._lines: dict[str, list[str]] = {}

    def add(self, called: str, file: TextFile | Script) -> None:
        """Register `file` under the name that MLIR uses for it."""
        self._files[called] = file

    def place(self, location: Located) -> Place:
        """Return the user's position for a position reported by MLIR; unchanged for texts that were not added."""
        file = self._files.get(location.file)
        if file is None:
            return Place(*location)
        return Place(file.name, location.line, file.original_column(location.line, location.column))

    def text_around(self, location: Located) -> tuple[str, str]:
        """Return the user's text before a position, in its line at most, and behind it; "" if that is of no text."""
        file = self._files.get(location.file)
        if file is None or min(location.line, location.column) < 1:
            return "", ""
        lines = self._lines.get(location.file)
        if lines is None:
            lines = self._lines[location.file] = file.original.splitlines(keepends=True)
        text = "".join(lines[location.line - 1 : location.line + 7])
        at = file.original_column(location.line, location.column) - 1
        at = at if text.isascii() else len(text.encode("utf-8", "replace")[:at].decode("utf-8", "ignore"))
        return text[max(0, at - _NEAR) : at], text[at : at + _NEAR]

    def places(self, locations: Iterable[Located | None]) -> list[Place | None]:
        """Return the user's positions for positions reported by MLIR; None stays None."""
        return [place and self.place(place) for place in locations]

    def first_place(self, location: str) -> Place | None:
        """Return the first position in a printed location, or None without any."""
        match = first_place(location)
        return self.place(match) if match is not None else None

    def diagnostics(self, diagnostics: Iterable[RunDiagnostic]) -> tuple[RunDiagnostic, ...]:
        """Return MLIR's diagnostics with the user's positions, and with the user's names of texts in the messages."""
        return tuple(map(self._diagnostic, diagnostics))

    def _repeats_text(self, note: RunDiagnostic) -> bool:
        """Whether a note prints the operation that stands at its place, not one that a step has changed."""
        printed, file = _PRINTED_OPERATION.match(note.message), self._files.get(note.file or "")
        if printed is None or file is None:
            return False
        if printed["name"] == "builtin.module" or is_transform_name(printed["name"]):
            return True
        line = "".join(file.text.split("\n", note.line)[note.line - 1 : note.line])
        is_same = printed["name"].rpartition(".")[2] in line
        return is_same and all(shaped in file.text for shaped in _SHAPED.findall(note.message))

    def _diagnostic(self, diagnostic: RunDiagnostic) -> RunDiagnostic:
        message = diagnostic.message
        for called, file in self._files.items():
            if called != INLINE:
                message = message.replace(called, file.name)
        notes = self.diagnostics(note for note in diagnostic.notes if not self._repeats_text(note))
        if diagnostic.file is None:
            return replace(diagnostic, message=message, notes=notes)
        place = self.place(Located(diagnostic.file, diagnostic.line, diagnostic.column))
        return replace(diagnostic, message=message, file=place.file, column=place.column, notes=notes)


class InputFiles:
    """A temporary folder with texts for MLIR, created with the first text.

    No confined process can write to it. `source_map` has all added texts.
    """

    def __init__(self) -> None:
        self.source_map = SourceMap()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._texts: dict[str, str] = {}

    def __enter__(self) -> InputFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def put(self, file: TextFile | Script, text: str | None = None) -> str:
        """Return the path of a new file with the text of `file`, or with `text`, which must have the same offsets."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="tdls-", ignore_cleanup_errors=True)
        path = str(Path(self._folder.name) / f"text{len(self._texts)}.mlir")
        self._texts[path] = file.text if text is None else text
        Path(path).write_bytes(self._texts[path].encode("utf-8", "replace"))
        self.source_map.add(path, file)
        return path

    def lines(self) -> dict[str, list[str]]:
        """Return the lines of each text by the path of its file."""
        return {path: text.split("\n") for path, text in self._texts.items()}
