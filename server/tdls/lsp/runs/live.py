"""Read documents with MLIR, and run scripts with payload, after a pause in typing, in trusted workspaces.

A part of a script that MLIR does not read is not run. A run without a request serves findings, contents of handles and
matches, not the views of payloads. The next edit of the document cancels both. What takes long twice in a row, reading
or a run, is not repeated by itself before the document is reopened. A script is run, too, if its only errors are forms
of operations that tdls does not know: MLIR may know them.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tdls.ide.runs.reading import no_mlir_reads
from tdls.interpreter.runs.entry_points import entry_points
from tdls.interpreter.runs.model import Status
from tdls.lsp.protocol.run_target import RunTarget
from tdls.lsp.session.session import Kind
from tdls.structs import Struct, field

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile
    from tdls.lsp.runs.readings import Readings
    from tdls.lsp.runs.runner import Runs
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.lsp.workspace.consent import Consents

_PAUSE = 0.4
"""Seconds without an edit before a script is run."""
_LIMIT = 5.0
"""Seconds that a run may take."""
_LONG = 1.0
"""Seconds from which a run counts as long."""
_MOST_LONG = 2
"""Number of long runs in a row after which a script is not run again."""
_MOST_TARGETS = 4
"""Maximum number of parts of a file to run."""


class _LiveScript(Struct):
    """The live runs of one open script, and its reading."""

    timer: asyncio.TimerHandle | None = None
    task: asyncio.Task[None] | None = None
    long: dict[RunTarget | None, int] = field(default_factory=dict)
    """Number of the last runs, for None readings, that were long, without a shorter one between them."""

    def is_long(self, target: RunTarget | None) -> bool:
        return self.long.get(target, 0) >= _MOST_LONG

    def took(self, target: RunTarget | None, seconds: float) -> None:
        self.long[target] = self.long.get(target, 0) + 1 if seconds > _LONG else 0

    def stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.task is not None:
            self.task.cancel()
        self.timer = self.task = None


class LiveRuns:
    """The live runs of all open scripts; all methods are for the event loop's thread."""

    def __init__(
        self, session: Session, configuration: Configuration, consents: Consents, runs: Runs, readings: Readings
    ) -> None:
        self._session = session
        self._configuration = configuration
        self._consents = consents
        self._runs = runs
        self._readings = readings
        self._scripts: dict[str, _LiveScript] = {}
        session.follow(Kind.READ, self._text_changed)
        session.follow(Kind.EDITED, self._text_changed)
        session.follow(Kind.CLOSED, self._document_closed)

    def _text_changed(self, uri: str) -> None:
        """Run an open script soon, after it was opened or edited."""
        script = self._scripts.get(uri)
        if script is not None:
            script.stop()
        if not self._consents.trusts(uri) or not self._configuration.settings(uri).run.live:
            return
        script = self._scripts.setdefault(uri, _LiveScript())

        def start() -> None:
            script.timer = None
            script.task = asyncio.get_running_loop().create_task(self._run(uri, script))

        script.timer = asyncio.get_running_loop().call_later(_PAUSE, start)

    def _document_closed(self, uri: str) -> None:
        """Stop the runs of a script."""
        script = self._scripts.pop(uri, None)
        if script is not None:
            script.stop()

    def close(self) -> None:
        for script in self._scripts.values():
            script.stop()

    async def _run(self, uri: str, script: _LiveScript) -> None:
        refused = await self._refused_parts(uri, script)
        file = self._session.file(uri)
        targets = await asyncio.to_thread(_targets, uri, file) if file is not None else []
        for target in targets:
            if script.is_long(target) or target.part in refused:
                continue
            run = await self._runs.run_unasked(target, _LIMIT)
            if run is not None and run.result is not None and run.result.status is not Status.CANCELLED:
                script.took(target, run.result.seconds)

    async def _refused_parts(self, uri: str, script: _LiveScript) -> frozenset[int]:
        """Read a document with MLIR, and return the parts that it did not read."""
        if script.is_long(None):
            return frozenset()
        reading = await self._readings.read(uri, _LIMIT)
        script.took(None, reading.seconds if reading is not None else 0.0)
        return reading.refused if reading is not None else frozenset()


def _targets(uri: str, file: SourceFile) -> list[RunTarget]:
    """Return the usual target of each of the first parts; [] while no MLIR can read the file."""
    by_part: dict[int, RunTarget] = {}
    for point in entry_points(file):
        target = RunTarget(uri, point.name, point.part)
        if target.is_usual:
            by_part.setdefault(target.part, target)
    return [] if any(map(no_mlir_reads, file.contexts)) else list(by_part.values())[:_MOST_TARGETS]
