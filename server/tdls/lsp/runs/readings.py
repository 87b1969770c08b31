"""Reads open documents with the MLIR of their settings, and publishes what that rejects and no rule reports."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tdls.analysis.checking.file_findings import findings_in_section
from tdls.ide.run_marks import RunMarks
from tdls.ide.runs.reading import joined, read_anyway, rejected
from tdls.interpreter.errors import BackendError
from tdls.interpreter.reading import Reader, Reading
from tdls.interpreter.runs.model import Limits
from tdls.lsp.protocol.conversions import path_of
from tdls.lsp.protocol.run_target import SCHEME, RunTarget
from tdls.lsp.session.session import Kind
from tdls.settings.selection import with_levels
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile
    from tdls.lsp.runs.executor import Executor
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.settings.model import BackendChoice
    from tdls.settings.selection import Levels

_NO_PART = -1


class _Read(NamedTuple):
    file: SourceFile
    reading: Reading


class Readings:
    """The last reading of each open document; all methods are for the event loop's thread."""

    def __init__(self, session: Session, configuration: Configuration, executor: Executor) -> None:
        self._session = session
        self._configuration = configuration
        self._executor = executor
        self._reader = Reader(is_own=False)
        self._choice: BackendChoice | None = None
        self._last: dict[str, _Read] = {}
        session.follow(Kind.CLOSED, self._closed)

    def mlir(self, uri: str) -> str | None:
        """Return the version of MLIR that read the present text of a document, or None if only tdls read it."""
        last, file = self._last.get(uri), self._session.file(uri)
        is_present = last is not None and file is not None and last.file.text == file.text
        return last.reading.mlir if last is not None and is_present else None

    async def read(self, uri: str, seconds: float) -> Reading | None:
        """Read a document for at most `seconds`, and publish its marks, or None if no MLIR reads it. Never raises."""
        file = self._session.file(uri)
        if file is None or file.program is not None or uri.startswith(f"{SCHEME}:"):
            return None
        settings = await self._configuration.for_run(uri)
        choice = settings.run.backend_choice
        if choice != self._choice:
            self._reader, self._choice = Reader(is_own=choice.backend is not None), choice
        reader, name = self._reader, str(path_of(uri) or uri)
        limits = Limits.of(settings.run).afresh(min(seconds, settings.run.timeout))
        try:
            reading = await self._executor.do(lambda backend: reader.read(file, name, backend, limits), choice)
        except BackendError:
            reading = None
        marks = RunMarks()
        if reading is not None and reading.mlir:
            self._executor.mlir = reading.mlir
            marks = await asyncio.to_thread(_marks, file, name, reading, self._configuration.levels(uri))
            self._last[uri] = _Read(file, reading)
        if self._session.file(uri) is file:
            for changed in self._session.marks.put(RunTarget(uri, "", _NO_PART), {uri: marks}):
                self._session.changed(changed, Kind.MARKS)
        return reading

    def _closed(self, uri: str) -> None:
        self._last.pop(uri, None)


def _marks(file: SourceFile, name: str, reading: Reading, levels: Levels) -> RunMarks:
    """Return what MLIR rejects and no rule reports, what both say, and the findings that MLIR refutes."""
    findings = rejected(reading, file, name)
    contexts = {file.context_at(finding.span.start) for finding in findings}
    reported = with_levels((each for context in contexts for each in findings_in_section(context)), levels)
    left, both = joined(findings, file, reported)
    refuted = tuple(read_anyway(file, reading))
    return RunMarks(findings=tuple(left), confirmed=tuple(both), refuted=refuted)
