"""Recordings of runs: made at the first request for a state, and kept until an input file changes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from enum import Enum
from typing import TYPE_CHECKING

from tdls.ide.runs.run_report import summary, uri_of_name
from tdls.interpreter.errors import BackendError, ConsentError, NoMlirError, PlanError, RecordingError
from tdls.interpreter.runs.entry_points import entry_points
from tdls.interpreter.runs.model import Status
from tdls.lsp.protocol.run_target import RunTarget, StateDocument
from tdls.lsp.runs.planning import Planner
from tdls.semantic.transform_dialect import ENTRY_POINT
from tdls.structs import NamedTuple, Struct, replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.recording.recording import Recording
    from tdls.lsp.protocol.run_target import TargetOptions
    from tdls.lsp.runs.planning import Planned
    from tdls.lsp.runs.runner import Runs
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.settings.model import BackendChoice

_KEPT = 4
"""Maximum number of recordings to keep."""


class Lack(Enum):
    """Reason why there is no recording, or no state."""

    FILES = "files"
    """An input file of the run cannot be read, or the script has no such entry point."""
    MLIR = "mlir"
    """There is no backend to run scripts."""
    CONSENT = "consent"
    """The user has not consented to the backend."""
    RECORDING = "recording"
    """There is no recording yet, or it is no longer kept."""
    STATE = "state"
    """The run did not reach this state again."""


class NoRecordingError(Exception):
    """There is no recording; the message is one line for display."""

    def __init__(self, problem: str, lack: Lack) -> None:
        super().__init__(problem)
        self.lack = lack


class KeptRecording(Struct, frozen=True, eq=False):
    """A recording of `planned` with a unique number, `generation`, and the backend that made it."""

    target: RunTarget
    generation: int
    recording: Recording
    planned: Planned
    choice: BackendChoice

    def document(self, passing: int) -> StateDocument:
        return StateDocument(self.target, self.generation, passing)

    def text(self, name: str) -> str:
        """Return the text of an input file at the time of the run; "" for other files."""
        return self.planned.texts.get(name, "")


class FoundRecording(NamedTuple):
    """A recording, and whether it is of the present texts.

    `outdated` is the reason why there is no recording of these; "" if they were merely edited since.
    """

    kept: KeptRecording
    is_current: bool
    outdated: str = ""


class _Tried(NamedTuple):
    """The texts of open documents in the last run of a target, and the reason why it was not recorded, "" if it was."""

    opened: dict[str, str]
    outdated: str


class Recordings:
    """The recordings of the last requested targets."""

    def __init__(self, session: Session, configuration: Configuration, runs: Runs) -> None:
        self._session = session
        self._configuration = configuration
        self._runs = runs
        self._kept: OrderedDict[RunTarget, KeptRecording] = OrderedDict()
        self._tried: dict[RunTarget, _Tried] = {}
        self._turns: dict[RunTarget, asyncio.Lock] = {}
        self._generation = 0

    async def of(self, target: RunTarget, options: TargetOptions | None = None) -> FoundRecording:
        """Return the recording of `target`, which is run with `options`, by default those of the last run.

        The script is run if there is no recording of the present texts. If that executes no step, as with an incomplete
        script while the user types, the last recording with steps is returned. Raises NoRecordingError.
        """
        async with self._turns.setdefault(target, asyncio.Lock()):
            try:
                latest = await self._newest(target, options or self._runs.options(target))
            except ConsentError as error:
                raise NoRecordingError(str(error), Lack.CONSENT) from error
            except BackendError as error:
                message = error.for_editors if isinstance(error, NoMlirError) else str(error)
                raise NoRecordingError(message, Lack.MLIR) from error
            except PlanError as error:
                known = self._kept.get(target)
                if known is None:
                    raise NoRecordingError(str(error), Lack.FILES) from error
                latest = FoundRecording(known, False, str(error))
            self._tried[target] = _Tried(self._opened_texts(latest.kept), latest.outdated)
            return latest

    def known(self, target: RunTarget) -> FoundRecording | None:
        """Return the recording of `target` if there is one; without a check for changed files on disk."""
        kept = self._kept.get(target)
        if kept is None:
            return None
        opened = self._opened_texts(kept)
        tried = self._tried.get(target)
        if tried is not None and tried.opened == opened:
            return FoundRecording(kept, tried.outdated == "", tried.outdated)
        return FoundRecording(kept, all(kept.text(name) == text for name, text in opened.items()))

    def known_with(self, name: str) -> FoundRecording | None:
        """Return the last recording of a run with the input file `name`."""
        kept = next((kept for kept in reversed(self._kept.values()) if name in kept.planned.texts), None)
        return self.known(kept.target) if kept is not None else None

    def of_document(self, document: StateDocument) -> KeptRecording:
        """Return the recording with the state of `document`. Raises NoRecordingError."""
        kept = self._kept.get(document.target)
        if kept is None or kept.generation != document.generation:
            raise NoRecordingError("this state is no longer known: the script was run again", Lack.RECORDING)
        if not 0 <= document.passing < len(kept.recording.passings):
            raise NoRecordingError("there is no such state", Lack.STATE)
        return kept

    def _opened_texts(self, kept: KeptRecording) -> dict[str, str]:
        """Return the present texts of the open input files of a run, by name."""
        opened = self._session.open_files()
        files = ((name, opened.get(uri_of_name(name))) for name in kept.planned.texts)
        return {name: file.text for name, file in files if file is not None}

    async def _newest(self, target: RunTarget, options: TargetOptions) -> FoundRecording:
        settings = await self._configuration.for_run(target.script)
        planner = Planner(self._session, target, settings)
        planned = await asyncio.to_thread(planner.request, options, ())
        choice = settings.run.backend_choice
        known = self._kept.get(target)
        if known is not None and (known.planned.texts, known.choice) == (planned.texts, choice):
            self._kept.move_to_end(target)
            return FoundRecording(known, True)
        from tdls.interpreter.recording.recording import for_looking_at, recorded

        wanted = for_looking_at(planned.request)
        is_whole = known is not None and not known.recording.result.is_partial  # a half-typed operation is not unknown
        request = replace(planned.request, ends_at_unknown=not is_whole)
        recording = await self._runs.executor.do(lambda backend: recorded(backend, request, wanted), choice)
        if known is not None and known.recording.passings and not recording.passings:
            return FoundRecording(known, False, summary(recording.result, self._session.built.shown_place))
        self._generation += 1
        made = self._kept[target] = KeptRecording(target, self._generation, recording, planned, choice)
        self._kept.move_to_end(target)
        while len(self._kept) > _KEPT:
            forgotten, _ = self._kept.popitem(last=False)
            self._turns.pop(forgotten, None)
            self._tried.pop(forgotten, None)
        return FoundRecording(made, True)

    async def ask(self, kept: KeptRecording, passings: Iterable[int]) -> None:
        """Fetch the states of `passings`; the run is repeated for those that are not known. Raises NoRecordingError."""
        numbers = list(passings)
        if all(kept.recording.known_state(number) is not None for number in numbers):
            return
        try:
            await self._runs.executor.do(lambda backend: kept.recording.ask(numbers, backend), kept.choice)
        except (BackendError, RecordingError) as error:
            raise NoRecordingError(str(error), Lack.STATE) from error

    async def text(self, document: StateDocument) -> str:
        """Return the text of a document; a comment with the reason if its recording is no longer kept."""
        try:
            kept = self.of_document(document)
            await self.ask(kept, [document.passing])
        except NoRecordingError as error:
            return f"// {error}\n"
        text = kept.recording.text(document.passing)
        return text if text is not None else "// the payload of this state was not kept\n"

    async def text_before_failure(self, target: RunTarget) -> str:
        """Return the payload right before the failed step of `target`; a comment with the reason if there is none."""
        try:
            kept = (await self.of(target)).kept
        except NoRecordingError as error:
            return f"// {error}\n"
        failing = kept.recording.failing
        if failing is None:
            succeeded = kept.recording.result.status is Status.SUCCESS
            return "// the script does not fail\n" if succeeded else "// in which step it fails is not known\n"
        return await self.text(kept.document(failing.before))


def target_at(file: SourceFile, uri: str, offset: int) -> RunTarget | None:
    """Return the run target for an offset in a script: the entry point there, MLIR's default one, or the first one.

    None if the script has no entry point in that part.
    """
    part = file.context_at(offset).part
    points = [point for point in entry_points(file) if point.part == part]
    here = file.context_at(offset)
    entry = next((point for point in points if file.context_at(point.span.start) is here), None)
    entry = entry or next((point for point in points if point.name == ENTRY_POINT), None) or next(iter(points), None)
    return RunTarget(uri, entry.name, entry.part) if entry is not None else None
