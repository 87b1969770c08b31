"""Recordings of targets: made when somebody asks for a state, and kept until what they are made of changes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.interpreter.entry_points import entry_points
from tdls.interpreter.jobs.backend import BackendError
from tdls.interpreter.plan import PlanError
from tdls.interpreter.recording.recording import RecordingError, for_looking_at, recorded
from tdls.lsp.protocol.run_target import RunTarget, StateDocument
from tdls.lsp.runs.planning import Planner
from tdls.semantic.transform_dialect import ENTRY_POINT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.recording.recording import Recording
    from tdls.lsp.runs.planning import Planned
    from tdls.lsp.runs.runner import Runs
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.settings.model import BackendChoice

_KEPT = 4
"""How many recordings are kept."""


class NoRecordingError(Exception):
    """There is no recording; the message is one line for people."""


@dataclass(frozen=True, eq=False)
class KeptRecording:
    """A recording, with a number of its own, of `planned`, and what it was made with."""

    target: RunTarget
    generation: int
    recording: Recording
    planned: Planned
    choice: BackendChoice

    def document(self, passing: int) -> StateDocument:
        """Return the document with the payload of a state."""
        return StateDocument(self.target, self.generation, passing)

    @property
    def text(self) -> str:
        """The script, as it was."""
        return self.planned.request.script.original


class Recordings:
    """The recordings of the targets that somebody asked for last."""

    def __init__(self, session: Session, configuration: Configuration, runs: Runs) -> None:
        self._session = session
        self._configuration = configuration
        self._runs = runs
        self._kept: OrderedDict[RunTarget, KeptRecording] = OrderedDict()
        self._turns: dict[RunTarget, asyncio.Lock] = {}
        self._generation = 0

    async def of(self, target: RunTarget) -> tuple[KeptRecording, bool]:
        """Return the recording of `target`, and whether it is of the texts as they are now.

        The script is run if there is none of these texts. Where nothing is executed then, as while somebody types, it
        is the last one that executed something. Raises NoRecordingError.
        """
        async with self._turns.setdefault(target, asyncio.Lock()):
            try:
                return await self._newest(target)
            except (PlanError, BackendError) as error:
                known = self._kept.get(target)
                if known is None or isinstance(error, BackendError):
                    raise NoRecordingError(str(error)) from error
                return known, False

    async def _newest(self, target: RunTarget) -> tuple[KeptRecording, bool]:
        settings = await self._configuration.for_run(target.script)
        planner = Planner(self._session, target, settings)
        planned = await asyncio.to_thread(planner.request, self._runs.options(target), ())
        choice = settings.run.backend_choice
        known = self._kept.get(target)
        if known is not None and (known.planned.texts, known.choice) == (planned.texts, choice):
            self._kept.move_to_end(target)
            return known, True
        wanted = for_looking_at(planned.request)
        recording = await self._runs.executor.do(lambda backend: recorded(backend, planned.request, wanted), choice)
        if known is not None and not recording.passings:
            return known, False
        self._generation += 1
        made = self._kept[target] = KeptRecording(target, self._generation, recording, planned, choice)
        self._kept.move_to_end(target)
        while len(self._kept) > _KEPT:
            self._turns.pop(self._kept.popitem(last=False)[0], None)
        return made, True

    async def ask(self, kept: KeptRecording, passings: Iterable[int]) -> None:
        """Let the states of `passings` be known. Raises NoRecordingError."""
        numbers = list(passings)
        if all(kept.recording.known_state(number) is not None for number in numbers):
            return
        try:
            await self._runs.executor.do(lambda backend: kept.recording.ask(numbers, backend), kept.choice)
        except (BackendError, RecordingError) as error:
            raise NoRecordingError(str(error)) from error

    async def text(self, document: StateDocument) -> str:
        """Return the text of a document; words in a comment where its recording is no longer there."""
        kept = self._kept.get(document.target)
        if kept is None or kept.generation != document.generation:
            return "// this state is no longer known: the script was run again\n"
        if not 0 <= document.passing < len(kept.recording.passings):
            return "// there is no such state\n"
        try:
            await self.ask(kept, [document.passing])
        except NoRecordingError as error:
            return f"// {error}\n"
        text = kept.recording.text(document.passing)
        return text if text is not None else "// the payload of this state was not kept\n"


def target_at(file: SourceFile, uri: str, offset: int) -> RunTarget | None:
    """Return what is run for a place in a script: the entry point there, or else the one that MLIR takes, or the first.

    None if the script has no entry point in that part.
    """
    part = file.context_at(offset).part
    points = [point for point in entry_points(file) if point.part == part]
    here = file.context_at(offset)
    found = next((point for point in points if file.context_at(point.span.start) is here), None)
    found = found or next((point for point in points if point.name == ENTRY_POINT), None) or next(iter(points), None)
    return RunTarget(uri, found.name, found.part) if found is not None else None
