"""Lines of payloads after runs that a handle stands for, as recordings of these runs know them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tdls.ide.runs.correspondence import DocumentLine
from tdls.ide.runs.run_report import uri_of_name
from tdls.interpreter.model import Status
from tdls.lsp.protocol.run_target import RunDocument, View
from tdls.lsp.runs.recordings import NoRecordingError

if TYPE_CHECKING:
    from tdls.interpreter.recording.recording import Recording
    from tdls.lsp.protocol.run_target import RunTarget
    from tdls.lsp.runs.outcome import Run
    from tdls.lsp.runs.recordings import KeptRecording, Recordings
    from tdls.lsp.runs.runner import Runs
    from tdls.lsp.runs.views import RunViews

_SECONDS = 2.0
"""A run that took longer is not recorded only to know lines."""


class HeldLines:
    """Asks the recordings of the last runs; one that there is none of is recorded once, if that takes no time."""

    def __init__(self, runs: Runs, run_views: RunViews, recordings: Recordings) -> None:
        self._runs = runs
        self._run_views = run_views
        self._recordings = recordings
        self._recorded: dict[RunTarget, Run] = {}
        """The last runs for which a recording was made."""

    async def after(self, file: str, start: int) -> dict[str, list[DocumentLine]]:
        """Return the lines that come of a handle whose name begins at `start` of `file`, by the view that they are in.

        Left out are views of runs in whose recordings operations are not told apart.
        """
        found: dict[str, list[DocumentLine]] = {}
        for run in self._runs.last_runs():
            if uri_of_name(file) != run.target.script:
                continue
            kept = await self.recording(run)
            lines = await asyncio.to_thread(kept.recording.lines_at_end, file, start) if kept is not None else None
            if lines is not None:
                uri = self._run_views.uri(RunDocument(run.target, View.AFTER))
                found[uri] = [DocumentLine(uri, line) for line in lines]
        return found

    async def recording(self, run: Run) -> KeptRecording | None:
        """Return the recording of what `run` did; None where there is none, and making one would take long."""
        found = self._recordings.known(run.target)
        if found is None or not found.is_current:
            if self._recorded.get(run.target) is run or run.result is None or run.result.seconds > _SECONDS:
                return None
            self._recorded[run.target] = run
            try:
                found = await self._recordings.of(run.target)
            except NoRecordingError:
                return None
        return found.kept if found.is_current and await asyncio.to_thread(_is_of, found.kept.recording, run) else None


def _is_of(recording: Recording, run: Run) -> bool:
    """Tell whether a recording ended with the payload that a run did."""
    last = len(recording.passings) - 1
    if last < 0 or recording.result.status is not Status.SUCCESS or not recording.fetch([last]):
        return False
    return (recording.text(last) or "").rstrip() == run.texts[View.AFTER].rstrip()
