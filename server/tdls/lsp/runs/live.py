"""Run scripts with payload after a pause in typing, without a request, in trusted workspaces.

Such a run serves findings, contents of handles and matches, not the views of payloads. The next edit of the script
cancels it. A script whose runs take long twice in a row is not run by itself again before it is reopened.
A script is run, too, if its only errors are forms of operations that tdls does not know: MLIR may know them.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tdls.ide.runs.reading import no_mlir_reads
from tdls.interpreter.entry_points import entry_points
from tdls.interpreter.model import Status
from tdls.lsp.protocol.run_target import RunTarget
from tdls.lsp.session.session import Kind
from tdls.structs import Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.source_file import SourceFile
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
    """The live runs of one open script."""

    timer: asyncio.TimerHandle | None = None
    task: asyncio.Task[None] | None = None
    long: dict[RunTarget, int] = field(default_factory=dict)
    """Number of the last runs that were long, without a shorter one between them."""

    def stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.task is not None:
            self.task.cancel()
        self.timer = self.task = None


class LiveRuns:
    """The live runs of all open scripts; all methods are for the event loop's thread."""

    def __init__(self, session: Session, configuration: Configuration, consents: Consents, runs: Runs) -> None:
        self._session = session
        self._configuration = configuration
        self._consents = consents
        self._runs = runs
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
        script.timer = asyncio.get_running_loop().call_later(_PAUSE, self._start, uri, script)

    def _document_closed(self, uri: str) -> None:
        """Stop the runs of a script."""
        script = self._scripts.pop(uri, None)
        if script is not None:
            script.stop()

    def close(self) -> None:
        for script in self._scripts.values():
            script.stop()

    def _start(self, uri: str, script: _LiveScript) -> None:
        script.timer = None
        script.task = asyncio.get_running_loop().create_task(self._run(uri, script))

    async def _run(self, uri: str, script: _LiveScript) -> None:
        file = self._session.file(uri)
        targets = await asyncio.to_thread(_targets, uri, file) if file is not None else []
        for target in targets:
            if script.long.get(target, 0) >= _MOST_LONG:
                continue
            run = await self._runs.run_unasked(target, _LIMIT)
            if run is not None and run.result is not None and run.result.status is not Status.CANCELLED:
                is_long = run.result.seconds > _LONG
                script.long[target] = script.long.get(target, 0) + 1 if is_long else 0


def _targets(uri: str, file: SourceFile) -> list[RunTarget]:
    """Return the usual target of each of the first parts; [] while no MLIR can read the file."""
    by_part: dict[int, RunTarget] = {}
    for target in _usual_targets(uri, file):
        by_part.setdefault(target.part, target)
    return [] if any(map(no_mlir_reads, file.contexts)) else list(by_part.values())[:_MOST_TARGETS]


def _usual_targets(uri: str, file: SourceFile) -> Iterator[RunTarget]:
    for point in entry_points(file):
        target = RunTarget(uri, point.name, point.part)
        if target.is_usual:
            yield target
