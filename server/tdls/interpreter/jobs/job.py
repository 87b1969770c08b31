"""A request as backends carry it out: one text that is read first, and files with what else MLIR reads."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from tdls.interpreter.model import RunDiagnostic, RunRequest, TextFile
    from tdls.interpreter.script import Script

INLINE = "-"
"""What MLIR calls a text that has no file."""


class Mode(Enum):
    """What the worker does with a script."""

    RUN = "run"
    LOCATE = "locate"
    """Run it, and print the module with locations."""
    READ = "read"
    """Read it, without running anything."""


@dataclass(frozen=True, slots=True)
class Job:
    """`root` is the module that the script is applied to. A script beside its payload is the first of `libraries`."""

    root: TextFile | Script
    libraries: tuple[Script, ...]

    @classmethod
    def of(cls, request: RunRequest) -> Job:
        """Return what MLIR has to read for `request`."""
        if request.payload is None:
            return cls(request.script, request.libraries)
        return cls(request.payload, (request.script, *request.libraries))


class Workplace:
    """A temporary folder with texts, for MLIR to read from; it is made when somebody asks for a path in it."""

    def __init__(self, place: str | None = None) -> None:
        """The folder is made in `place`, None for where temporary files are kept."""
        self._place = place
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._names: dict[str, str] = {}
        self._texts: dict[str, str] = {}

    def __enter__(self) -> Workplace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def put(self, file: TextFile | Script) -> str:
        """Return the path of a file with the text of `file`."""
        path = self.path(f"text{len(self._names)}.mlir")
        Path(path).write_bytes(file.text.encode("utf-8", "replace"))
        self._names[path] = file.name
        self._texts[path] = file.text
        return path

    def path(self, name: str) -> str:
        """Return the path of the file `name` in the folder, which need not exist."""
        return str(Path(self.folder()) / name)

    def folder(self) -> str:
        """Return the path of the folder."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="tdls-", dir=self._place, ignore_cleanup_errors=True)
        return self._folder.name

    def lines(self) -> dict[str, list[str]]:
        """Return the lines of each text by the path of its file."""
        return {path: text.split("\n") for path, text in self._texts.items()}

    def names(self) -> dict[str, str]:
        """Return the names of texts by what MLIR calls them."""
        return dict(self._names)

    def call(self, alias: str, name: str) -> None:
        """Give the text that MLIR calls `alias` its `name`."""
        self._names[alias] = name

    def named(self, diagnostics: Iterable[RunDiagnostic]) -> tuple[RunDiagnostic, ...]:
        """Return `diagnostics` with the names of texts in place of those of temporary files."""
        return tuple(self._named(diagnostic) for diagnostic in diagnostics)

    def _named(self, diagnostic: RunDiagnostic) -> RunDiagnostic:
        message = diagnostic.message
        for path, name in self._names.items():
            if path != INLINE:
                message = message.replace(path, name)
        file = self._names.get(diagnostic.file, diagnostic.file) if diagnostic.file is not None else None
        return replace(diagnostic, message=message, file=file, notes=self.named(diagnostic.notes))
