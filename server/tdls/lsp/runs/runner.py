"""Run targets on request, and again when one of their input files changes."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from tdls.ide.runs.run_report import uri_of_name
from tdls.interpreter.runs.model import Status
from tdls.lsp.protocol.run_target import RunDocument, TargetOptions, View
from tdls.lsp.runs.executor import Executor
from tdls.lsp.runs.job import Cause, RunJob, Services, is_present
from tdls.lsp.runs.outcome import Run
from tdls.lsp.session.session import Kind
from tdls.structs import Struct, field, replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from tdls.analysis.file.source_file import SourceFile
    from tdls.lsp.documents.libraries import Libraries
    from tdls.lsp.protocol.run_target import RunTarget
    from tdls.lsp.runs.job import Matches
    from tdls.lsp.runs.views import RunViews
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.lsp.workspace.consent import Consents

_SHORTEST_PAUSE = 0.15
"""Seconds without an edit before a target is run again while the user types; at least the duration of the last run."""


class _TargetState(Struct):
    """State of a target that was run."""

    options: TargetOptions
    views: set[View] = field(default_factory=set)
    """Views to keep up to date."""
    requested: frozenset[View] = frozenset()
    """Views requested with the newest run."""
    file: SourceFile | None = None
    """The version of the script that the last requested run to the end was started with."""
    run: Run | None = None
    """The last run that was not cancelled."""
    shown: Run | None = None
    """The last successful run to the end: after a failure the views still show this one."""
    stopped: Run | None = None
    """The last successful run to a line."""
    job: RunJob | None = None
    """The last run that was begun."""
    timer: asyncio.TimerHandle | None = None
    outdated: set[RunDocument] = field(default_factory=set)
    """Documents that show the payload of a run of older texts."""

    def uses(self, target: RunTarget, uri: str) -> bool:
        """Whether `uri` is an input file of the last run of `target`."""
        return uri == target.script or (self.job is not None and uri in self.job.depends_on)

    def stop_waiting(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Runs:
    """All targets that were run since the server started."""

    def __init__(
        self, session: Session, configuration: Configuration, consents: Consents, libraries: Libraries, views: RunViews
    ) -> None:
        self._session = session
        self._configuration = configuration
        self._consents = consents
        self._libraries = libraries
        self._views = views
        self.executor = Executor()
        self._services = Services(session, configuration, self.executor)
        self._states: dict[RunTarget, _TargetState] = {}
        session.follow(Kind.EDITED, partial(self._renew_all, ("type",), wait=True))
        for kind in (Kind.SAVED, Kind.BUILT):
            session.follow(kind, partial(self._renew_all, ("save", "type"), wait=False))
        session.follow(Kind.CLOSED, self._closed)

    async def run(self, target: RunTarget, options: TargetOptions, views: Iterable[View]) -> Run:
        """Run `target` with the texts of `views`; a run of the same target in progress is cancelled.

        Never raises: the result contains all problems. Cancelling this ends the run.
        """
        state = self._states.setdefault(target, _TargetState(options))
        state.options = options
        state.requested = frozenset(views)
        if target.is_usual:
            self._libraries.choose_payload(target.script, options.payload)
        if options.until is None:
            state.views |= state.requested
        return await self._outcome(target, state, self._start(target, state, Cause.REQUEST))

    async def run_unasked(self, target: RunTarget, seconds: float) -> Run | None:
        """Run `target`, which has payload, for at most `seconds`, and publish its marks only. Never raises.

        None without payload, if a run of this target is in progress or is about to be repeated, and if this version of
        the script was run on request, whose marks have more.
        """
        state = self._states.setdefault(target, _TargetState(TargetOptions()))
        is_running = state.timer is not None or (state.job is not None and state.job.is_running)
        file = self._session.file(target.script)
        ran = (other.file.sections for other in self._states.values() if other.file is not None)
        if is_running or file is None or any(sections is file.sections for sections in ran):
            return None  # a file is another object, too, when its libraries or definitions have changed
        return await self._outcome(target, state, self._start(target, state, Cause.LIVE, seconds))

    def last(self, target: RunTarget, line: int | None = None) -> Run | None:
        """Return the last successful run of `target` to the end, or to `line` if that was the last line; else None."""
        state = self._states.get(target)
        run = (state.shown if line is None else state.stopped) if state is not None else None
        return run if run is not None and run.line == line else None

    def options(self, target: RunTarget) -> TargetOptions:
        """Return the options of the last run of `target`, without `until`."""
        state = self._states.get(target)
        return replace(state.options, until=None) if state is not None else TargetOptions()

    def last_runs(self) -> list[Run]:
        """Return the last successful runs of all targets, to the end and to a line."""
        runs = (run for state in self._states.values() for run in (state.shown, state.stopped))
        return [run for run in runs if run is not None]

    async def matches(self, uri: str) -> Matches | None:
        """Return the matches of the newest run with this input file, after waiting for their explanation.

        None if no run of the file was explained.
        """
        jobs = [
            state.job for target, state in self._states.items() if state.job is not None and state.uses(target, uri)
        ]
        explaining = [job.explaining for job in jobs if job.explaining is not None]
        if explaining:
            await asyncio.wait(explaining)
        known = [job.matches for job in jobs if job.matches is not None]
        return max(known, key=lambda matches: matches.number, default=None)

    def why_no_matches(self, uri: str) -> str:
        """Return why no run with this input file says what was matched."""
        tasks = [each.job.task for target, each in self._states.items() if each.job and each.uses(target, uri)]
        ended = [task.result() for task in tasks if task.done() and not task.cancelled()]
        if not ended:
            return "this file was not run yet"
        if ended[-1].detail:
            return f"the last run of this file does not say what was matched: {ended[-1].detail}"
        if not self._configuration.settings(uri).run.explain_matches:
            return "the setting tdls.run.explainMatches is off"
        return "the last run of this file asked no matcher, and found all that it looked for"

    def is_current(self, matches: Matches) -> bool:
        """Return whether no open document among the input files has changed since the run."""
        return all(is_present(self._session, uri_of_name(name), file) for name, file in matches.files.items())

    def backend(self, uri: str) -> tuple[str, str]:
        """Return the display name of the backend for a script, and its MLIR version, "" before the first run.

        Raises BackendError if there is none.
        """
        choice = self._configuration.settings(uri).run.backend_choice
        return self.executor.name_of(choice), self.executor.mlir

    async def text(self, document: RunDocument) -> str:
        """Return the text of a virtual document; run its target first if it was not run, as after a restart."""
        self._views.opened(document)
        run = self.last(document.target, document.line)
        if run is None and document.line is not None:
            return f"// Run to line {document.line} again to see its payload here.\n"
        if run is None or document.view not in run.texts:
            state = self._states.get(document.target)
            options = state.options if state is not None else TargetOptions()
            run = await self.run(document.target, options, {document.view})
        return run.texts.get(document.view, f"// {run.detail}\n")

    def _closed(self, uri: str) -> None:
        """Stop updating a view that the editor has closed, and the target if none of its views is shown any more."""
        document = self._views.document(uri)
        if document is None:
            return
        self._views.closed(document)
        state = self._states.get(document.target) if document.line is None else None
        if state is not None:
            state.views.discard(document.view)
            if not state.views:
                state.stop_waiting()

    def close(self) -> None:
        """Cancel all runs, and end all processes."""
        for state in self._states.values():
            state.stop_waiting()
            if state.job is not None:
                state.job.cancel()
        self.executor.close()

    # Scheduling

    def _renew_all(self, modes: Collection[str], uri: str, *, wait: bool) -> None:
        """Run shown targets with this input file again if the setting ``run.refresh`` is one of `modes`."""
        for target, state in self._states.items():
            is_changed = wait or uri not in self._session.documents
            if is_changed and state.uses(target, uri):
                runs = (run for run in (state.shown, state.stopped) if run is not None)
                fresh = {run.document(View.AFTER) for run in runs} - state.outdated
                if fresh:
                    state.outdated |= fresh
                    self._views.tell_age(fresh, is_outdated=True)
            if (
                state.views
                and state.uses(target, uri)
                and self._configuration.settings(target.script).run.refresh in modes
            ):
                state.stop_waiting()
                if wait and state.job is not None and state.job.is_running:
                    state.job.cancel()
                took = state.run.result.seconds if state.run is not None and state.run.result is not None else 0.0
                pause = max(_SHORTEST_PAUSE, took) if wait else 0.0
                state.timer = asyncio.get_running_loop().call_later(pause, self._renew, target, state)

    def _renew(self, target: RunTarget, state: _TargetState) -> None:
        state.timer = None
        state.options = replace(state.options, until=None)
        task = self._start(target, state, Cause.EDIT).task
        task.add_done_callback(lambda task: self._renewed_by_itself(target, task))

    def _renewed_by_itself(self, target: RunTarget, task: asyncio.Task[Run]) -> None:
        self._views.refresh(target, self.last(target))
        if not task.cancelled() and task.exception() is None and task.result().consent_requests:
            self._consents.ask(task.result().consent_requests)

    async def _outcome(self, target: RunTarget, state: _TargetState, job: RunJob) -> Run:
        """Wait for the outcome of a job; cancelling this ends it."""
        state.stop_waiting()
        try:
            await asyncio.wait([job.task])
        except asyncio.CancelledError:
            job.cancel()
            raise
        return Run(target, Status.CANCELLED.value, "cancelled") if job.task.cancelled() else job.task.result()

    def _start(self, target: RunTarget, state: _TargetState, cause: Cause, seconds: float | None = None) -> RunJob:
        is_requested = cause is not Cause.LIVE
        if is_requested and state.options.until is None:
            state.file = self._session.file(target.script)
        state.job = RunJob(
            self._services,
            target,
            state.options,
            cause,
            partial(self._take, state) if is_requested else lambda _run: None,
            before=state.job,
            views=state.requested | state.views if is_requested else (),
            seconds=seconds,
        )
        return state.job

    def _take(self, state: _TargetState, run: Run) -> None:
        """Note the outcome of a requested run."""
        state.run = run
        document = run.document(View.AFTER)
        if run.succeeded and document in state.outdated:
            state.outdated.discard(document)
            self._views.tell_age([document], is_outdated=False)
        if run.succeeded and run.line is not None:
            state.stopped = run
        elif run.succeeded:
            state.shown = run
