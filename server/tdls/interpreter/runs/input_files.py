"""Temporary files that MLIR reads in a run."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.interpreter.runs.source_map import SourceMap

if TYPE_CHECKING:
    from types import TracebackType

    from tdls.interpreter.runs.model import TextFile
    from tdls.interpreter.runs.script import Script


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
