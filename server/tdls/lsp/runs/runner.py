"""Runs targets when the editor asks for it, and again when what they are made of changes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.source_file import SourceFile
from tdls.files.reading import text_of
from tdls.ide.runs.match_report import match_marks
from tdls.ide.runs.run_report import findings_of, marks_of, mentioned, summary, uri_of_name
from tdls.interpreter.backend import BackendError, ConsentError, NoMlirError
from tdls.interpreter.matching.expectations import expects_matches, unmet
from tdls.interpreter.matching.explanation import ENDED_BY_ITSELF, explained, is_worth_explaining
from tdls.interpreter.matching.timing import timed
from tdls.interpreter.model import Status
from tdls.interpreter.pipeline import reproduction
from tdls.interpreter.plan import NO_PAYLOAD, PlanError, has_payload
from tdls.limits import EDITED_OPERATION
from tdls.lsp.protocol.run_target import RunDocument, TargetOptions, View
from tdls.lsp.runs.executor import Executor
from tdls.lsp.runs.outcome import REFUSED, UNAVAILABLE, Run, texts_of
from tdls.lsp.runs.planning import Planner
from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from tdls.ide.run_marks import RunMarks
    from tdls.ide.runs.match_report import MatchMarks
    from tdls.interpreter.matching.backend import ExplainingBackend
    from tdls.interpreter.matching.explanation import Explanation
    from tdls.interpreter.model import RunRequest, RunResult
    from tdls.lsp.protocol.run_target import RunTarget
    from tdls.lsp.runs.planning import Planned
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.lsp.workspace.consent import Consents
    from tdls.settings.model import BackendChoice

_EXPLAINING_PAUSE = 0.3
"""Seconds behind a run before another one finds out what it matched."""
_SHORTEST_PAUSE = 0.15
"""Seconds without an edit before a target is run again while somebody types; slow runs wait as long as they take."""


@dataclass
class _TargetState:
    """A target that was run."""

    options: TargetOptions
    views: set[View] = field(default_factory=set)
    """Those that are kept up to date."""
    asked: frozenset[View] = frozenset()
    """Those that the newest run is for."""
    run: Run | None = None
    """The last run that ended by itself."""
    shown: Run | None = None
    """The last one that succeeded and went to the end: failures leave on the screen what is there."""
    stopped: Run | None = None
    """The last one that succeeded in going to a line."""
    task: asyncio.Task[Run] | None = None
    timer: asyncio.TimerHandle | None = None
    explaining: asyncio.Task[None] | None = None
    """A run behind the last one, which finds out why nothing was matched."""
    matches: Matches | None = None
    """What that one found out."""
    outdated: set[RunDocument] = field(default_factory=set)
    """What shows payloads of runs of older texts."""
    depends_on: frozenset[str] = frozenset()
    """URIs of the files that the last run was made of."""

    def stop_waiting(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Matches(NamedTuple):
    """What a run matched: `number` is larger than that of all that were found out before."""

    number: int
    target: RunTarget
    explanation: Explanation
    files: Mapping[str, SourceFile]
    """The documents that were run, by the names that the run called them by."""
    request: RunRequest
    choice: BackendChoice
    is_timed: bool = False
    """True once it was measured how long matchers take."""


class Runs:
    """All that was run since the server began."""

    def __init__(
        self,
        session: Session,
        configuration: Configuration,
        consents: Consents,
        marks_changed: Callable[[Iterable[str]], None],
        ran_again: Callable[[RunTarget], None],
        aged: Callable[[Mapping[RunDocument, bool]], None],
        payload_chosen: Callable[[str, Path | None], None],
        files_read: Callable[[str], None],
    ) -> None:
        """`marks_changed` gets the URIs of files of which runs say something else than before.

        `ran_again` gets a target that was run since something that it is made of has changed. `aged` gets documents
        with payloads, and whether they are of an older text now. `payload_chosen` gets the URI of a script, and the
        payload that the editor has it run on; None leaves that to the script. `files_read` gets the URI of a script of
        which another file was found to be changed on disk.
        """
        self._session = session
        self._configuration = configuration
        self._consents = consents
        self._marks_changed = marks_changed
        self._ran_again = ran_again
        self._aged = aged
        self._payload_chosen = payload_chosen
        self._files_read = files_read
        self.executor = Executor()
        self._states: dict[RunTarget, _TargetState] = {}
        self._explained = 0

    async def run(self, target: RunTarget, options: TargetOptions, views: Iterable[View]) -> Run:
        """Run `target`, so that `views` can be shown; a run of it that is under way is given up.

        Never raises: what goes wrong is part of what is returned. Cancelling this ends the run.
        """
        state = self._states.setdefault(target, _TargetState(options))
        state.options = options
        state.asked = frozenset(views)
        if target.is_usual:
            self._payload_chosen(target.script, options.payload)
        if options.until is None:
            state.views |= state.asked
        return await self._renewed(target, state)

    async def run_again(self, target: RunTarget, views: Iterable[View]) -> Run:
        """Run `target` as it was run before, so that `views` can be shown, too. Never raises."""
        state = self._states.get(target)
        return await self.run(target, state.options if state is not None else TargetOptions(), views)

    def last(self, target: RunTarget, line: int | None = None) -> Run | None:
        """Return the last run of `target` that succeeded, to the end or to a line; None for a line of an older run."""
        state = self._states.get(target)
        run = (state.shown if line is None else state.stopped) if state is not None else None
        return run if run is not None and run.line == line else None

    def options(self, target: RunTarget) -> TargetOptions:
        """Return how `target` was run last, but as far as its end."""
        state = self._states.get(target)
        known = state.options if state is not None else TargetOptions()
        return TargetOptions(known.payload, known.libraries)

    def last_runs(self) -> list[Run]:
        """Return the last successful runs of all targets, to the end and to a line."""
        runs = (run for state in self._states.values() for run in (state.shown, state.stopped))
        return [run for run in runs if run is not None]

    async def matches(self, uri: str) -> Matches | None:
        """Return what the newest run that a file is part of matched, once that is found out; None if it is not."""
        states = [state for target, state in self._states.items() if uri in (target.script, *state.depends_on)]
        explaining = [state.explaining for state in states if state.explaining is not None]
        if explaining:
            await asyncio.wait(explaining)
        known = [state for state in states if state.matches is not None]
        newest = max(known, key=lambda state: state.matches.number if state.matches is not None else 0, default=None)
        matches = newest.matches if newest is not None else None
        if newest is None or matches is None or matches.is_timed:
            return matches
        measured = await self._timed(matches)
        newest.matches = measured if newest.matches is matches else newest.matches
        return measured

    async def _timed(self, matches: Matches) -> Matches:
        """Measure how long matchers take, as far as that can be done."""

        def measured(backend: ExplainingBackend) -> Explanation:
            return timed(matches.explanation, matches.request, backend)

        try:
            explanation = await self.executor.do(measured, matches.choice)
        except BackendError:
            explanation = matches.explanation
        return matches._replace(explanation=explanation, is_timed=True)

    def is_current(self, matches: Matches) -> bool:
        """Tell whether no text has changed since it was found out."""
        return all(self._is_present(uri_of_name(name), file) for name, file in matches.files.items())

    def backend(self, uri: str) -> tuple[str, str]:
        """Return the backend that a script would be run with, and its MLIR, "" before the first run.

        Raises BackendError if there is none.
        """
        choice = self._configuration.settings(uri).run.backend_choice
        return self.executor.name_of(choice), self.executor.mlir

    def forget(self, target: RunTarget, view: View) -> None:
        """No longer keep a view up to date, nor the target when nothing of it is shown any more."""
        state = self._states.get(target)
        if state is None:
            return
        state.views.discard(view)
        if not state.views:
            state.stop_waiting()

    def text_changed(self, uri: str) -> None:
        """Run targets again that are shown and made of this document, if they are to follow what is typed."""
        self._renew_all(uri, ("type",), wait=True)

    def file_saved(self, uri: str) -> None:
        """Run targets again that are shown and made of this file."""
        self._renew_all(uri, ("save", "type"), wait=False)

    def close(self) -> None:
        """Give up what is under way, and end all processes."""
        for state in self._states.values():
            state.stop_waiting()
            for task in (state.task, state.explaining):
                if task is not None:
                    task.cancel()
        self.executor.close()

    # When

    def _renew_all(self, uri: str, modes: Collection[str], *, wait: bool) -> None:
        for target, state in self._states.items():
            is_changed = wait or uri not in self._session.documents
            if is_changed and uri in (target.script, *state.depends_on):
                runs = (run for run in (state.shown, state.stopped) if run is not None)
                fresh = {run.document(View.AFTER) for run in runs} - state.outdated
                if fresh:
                    state.outdated |= fresh
                    self._aged(dict.fromkeys(fresh, True))
            if state.views and uri in (target.script, *state.depends_on) and self._mode(target) in modes:
                self._renew_soon(target, state, wait=wait)

    def _mode(self, target: RunTarget) -> str:
        return self._configuration.settings(target.script).run.refresh

    def _renew_soon(self, target: RunTarget, state: _TargetState, *, wait: bool) -> None:
        state.stop_waiting()
        if wait and state.task is not None and not state.task.done():
            state.task.cancel()
        took = state.run.result.seconds if state.run is not None and state.run.result is not None else 0.0
        pause = max(_SHORTEST_PAUSE, took) if wait else 0.0
        state.timer = asyncio.get_running_loop().call_later(pause, self._renew, target, state)

    def _renew(self, target: RunTarget, state: _TargetState) -> None:
        state.timer = None
        state.options = TargetOptions(state.options.payload, state.options.libraries)
        self._start(target, state).add_done_callback(lambda task: self._renewed_by_itself(target, task))

    def _renewed_by_itself(self, target: RunTarget, task: asyncio.Task[Run]) -> None:
        self._ran_again(target)
        if not task.cancelled() and task.exception() is None and task.result().consent_requests:
            self._consents.ask(task.result().consent_requests)

    async def _renewed(self, target: RunTarget, state: _TargetState) -> Run:
        state.stop_waiting()
        task = self._start(target, state)
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            raise
        return Run(target, Status.CANCELLED.value, "cancelled") if task.cancelled() else task.result()

    def _start(self, target: RunTarget, state: _TargetState) -> asyncio.Task[Run]:
        for task in (state.task, state.explaining):
            if task is not None:
                task.cancel()
        state.task = asyncio.get_running_loop().create_task(self._run(target, state))
        return state.task

    # What

    async def _run(self, target: RunTarget, state: _TargetState) -> Run:
        views = state.asked | state.views
        try:
            settings = await self._configuration.for_run(target.script)
            planner = Planner(self._session, target, settings)
            planned = await asyncio.to_thread(planner.request, state.options, views)
            state.depends_on = frozenset(map(uri_of_name, planned.texts))
            until = state.options.until
            result = await self.executor.run(planned.request, settings.run.backend_choice)
        except PlanError as error:
            return Run(target, Status.INVALID.value, str(error))
        except ConsentError as error:
            return Run(target, REFUSED, str(error), consent_requests=error.consent_requests)
        except NoMlirError as error:
            return Run(target, UNAVAILABLE, error.for_editors, tool=error.tool)
        except BackendError as error:
            return Run(target, UNAVAILABLE, str(error))
        run, said = await asyncio.to_thread(_finished, target, planned, result, views, until)
        read = await asyncio.to_thread(_read_anew, self._session, planned)
        if read:
            self._session.files.update(read)
            self._files_read(target.script)
        self._take(state, run)
        self._mark(target, said)
        state.matches = None
        is_worth_it = is_worth_explaining(planned.request, result) or (
            result.status in ENDED_BY_ITSELF and expects_matches(planned.request)
        )
        if settings.run.explain_matches and until is None and is_worth_it:
            choice = settings.run.backend_choice
            explaining = self._explain(target, state, planned, said.files, choice)
            state.explaining = asyncio.get_running_loop().create_task(explaining)
        return run

    async def _explain(
        self,
        target: RunTarget,
        state: _TargetState,
        planned: Planned,
        files: Mapping[str, SourceFile],
        choice: BackendChoice,
    ) -> None:
        """Find out why nothing was matched, once nobody has asked for another run for a while, and show that."""
        await asyncio.sleep(_EXPLAINING_PAUSE)
        try:
            found = await self.executor.do(lambda backend: explained(planned.request, backend), choice)
        except BackendError:
            return
        self._explained += 1
        state.matches = Matches(self._explained, target, found, planned.opened, planned.request, choice)
        told = await asyncio.to_thread(_told_of_matches, planned, found, files)
        uris = {name: uri_of_name(name) for name in told}
        self._marks_changed(
            self._session.marks.explained(
                target, {uris[name]: marks for name, marks in told.items() if self._is_present(uris[name], files[name])}
            )
        )

    def _is_present(self, uri: str, version: SourceFile) -> bool:
        """Tell whether the text of a file is still the one that was run."""
        present = self._session.file(uri)
        return present is not None and (present.sections is version.sections or present.text == version.text)

    def _take(self, state: _TargetState, run: Run) -> None:
        state.run = run
        document = run.document(View.AFTER)
        if run.succeeded and document in state.outdated:
            state.outdated.discard(document)
            self._aged({document: False})
        if run.succeeded and run.line is not None:
            state.stopped = run
        elif run.succeeded:
            state.shown = run

    def _mark(self, target: RunTarget, said: _Said) -> None:
        """Show what the run said of files whose text is still the one that was run."""
        session = self._session
        marks = {}
        for name, mark in said.marks.items():
            uri, version = uri_of_name(name), said.files[name]
            present = session.file(uri)
            if present is None:
                session.files[uri] = version
            elif present.sections is not version.sections and present.text != version.text:
                continue
            marks[uri] = mark
        self._marks_changed(session.marks.put(target, marks))


class _Said(NamedTuple):
    """Marks by the names of files, and the versions of these that they are about."""

    marks: Mapping[str, RunMarks]
    files: Mapping[str, SourceFile]


def _finished(
    target: RunTarget, planned: Planned, result: RunResult, views: Collection[View], until: int | None
) -> tuple[Run, _Said]:
    """Return what came out of a run, ready to be shown; `until` is the offset that it went to, None for the end."""
    files = planned.files(mentioned(result))
    request = planned.request
    marks = marks_of(result, files, request.script.name, planned.entry, reproduction(request))
    document = RunDocument(target, View.FAILURE).uri
    marks = {name: mark.with_document_of_failure(document) for name, mark in marks.items()}
    texts = texts_of(result, views, target.stem)
    detail = summary(result)
    if result.status is Status.SUCCESS and not has_payload(request):
        detail = NO_PAYLOAD
    run = Run(target, result.status.value, detail, result, texts)
    if until is not None and run.succeeded:
        stop, line = _stop(planned.script, until)
        run = replace(run, stop=stop, line=line)
        marks[request.script.name] = replace(marks[request.script.name], stop=run.stop)
    return run, _Said(marks, files)


def _told_of_matches(
    planned: Planned, explanation: Explanation, files: Mapping[str, SourceFile]
) -> dict[str, MatchMarks]:
    """Return what a run that was explained matched, and which comments it does not meet, by the names of `files`."""
    request = planned.request
    wrong = findings_of(unmet(request, explanation), files, request.script.name, planned.entry)
    return match_marks(explanation, files, wrong)


def _read_anew(session: Session, planned: Planned) -> dict[str, SourceFile]:
    """Return the files of a run, by URI, that are known otherwise than they are on disk: not every editor tells."""
    found: dict[str, SourceFile] = {}
    for name, text in planned.texts.items():
        uri = uri_of_name(name)
        known = session.closed_files().get(uri) if name not in planned.opened else None
        if known is not None and known.text != text and text_of(Path(name)) == text:
            found[uri] = SourceFile.of(text, planned.script.catalogue, most=EDITED_OPERATION)
    return found


def _stop(script: SourceFile, until: int) -> tuple[FileSpan, int]:
    """Return what is written in the line of an offset, without the blanks around it, and the line's number from 1."""
    line = script.position(until).line
    text, start = script.line_text(line), script.offset(Position(line, 0))
    indent = len(text) - len(text.lstrip())
    return FileSpan(start + indent, start + len(text.rstrip())), line + 1
