"""Runs targets when the editor asks for it, and again when what they are made of changes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tdls.ide.runs.run_report import marks_of, mentioned, summary, uri_of_name
from tdls.interpreter.jobs.backend import BackendError, ConsentError
from tdls.interpreter.jobs.pipeline import reproduction
from tdls.interpreter.model import Status
from tdls.interpreter.plan import NO_PAYLOAD, PlanError, has_payload
from tdls.lsp.protocol.run_target import TargetOptions
from tdls.lsp.runs.executor import Executor
from tdls.lsp.runs.outcome import REFUSED, UNAVAILABLE, Run
from tdls.lsp.runs.planning import Planner
from tdls.lsp.runs.texts import texts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.run_marks import RunMarks
    from tdls.interpreter.model import RunResult
    from tdls.lsp.protocol.run_target import RunTarget, View
    from tdls.lsp.runs.planning import Planned
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.lsp.workspace.consent import Consents

_SHORTEST_PAUSE = 0.15
"""Seconds without an edit before a target is run again while somebody types; slow runs wait as long as they take."""


@dataclass
class _TargetState:
    """A target that was run."""

    options: TargetOptions
    views: set[View] = field(default_factory=set)
    run: Run | None = None
    """The last run that ended by itself."""
    shown: Run | None = None
    """The last one that succeeded: failures leave on the screen what is there."""
    task: asyncio.Task[Run] | None = None
    timer: asyncio.TimerHandle | None = None
    depends_on: frozenset[str] = frozenset()
    """URIs of the files that the last run was made of."""

    def stop_waiting(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Runs:
    """All that was run since the server began."""

    def __init__(
        self,
        session: Session,
        configuration: Configuration,
        consents: Consents,
        marks_changed: Callable[[Iterable[str]], None],
        ran_again: Callable[[RunTarget], None],
    ) -> None:
        """`marks_changed` gets the URIs of files of which runs say something else than before.

        `ran_again` gets a target that was run since something that it is made of has changed.
        """
        self._session = session
        self._configuration = configuration
        self._consents = consents
        self._marks_changed = marks_changed
        self._ran_again = ran_again
        self.executor = Executor()
        self._states: dict[RunTarget, _TargetState] = {}

    async def run(self, target: RunTarget, options: TargetOptions, views: Iterable[View]) -> Run:
        """Run `target`, so that `views` can be shown; a run of it that is under way is given up.

        Never raises: what goes wrong is part of what is returned. Cancelling this ends the run.
        """
        state = self._states.setdefault(target, _TargetState(options))
        state.options = options
        state.views |= set(views)
        return await self._renewed(target, state)

    async def run_again(self, target: RunTarget, views: Iterable[View]) -> Run:
        """Run `target` as it was run before, so that `views` can be shown, too. Never raises."""
        state = self._states.get(target)
        return await self.run(target, state.options if state is not None else TargetOptions(), views)

    def last(self, target: RunTarget) -> Run | None:
        """Return the last run of `target` that succeeded."""
        state = self._states.get(target)
        return state.shown if state is not None else None

    def options(self, target: RunTarget) -> TargetOptions:
        """Return how `target` was run last, but as far as its end."""
        state = self._states.get(target)
        known = state.options if state is not None else TargetOptions()
        return TargetOptions(known.payload, known.libraries)

    def last_runs(self) -> list[Run]:
        """Return the last successful runs of all targets."""
        return [state.shown for state in self._states.values() if state.shown is not None]

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
            if state.task is not None:
                state.task.cancel()
        self.executor.close()

    # When

    def _renew_all(self, uri: str, modes: Collection[str], *, wait: bool) -> None:
        for target, state in self._states.items():
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
        if state.task is not None:
            state.task.cancel()
        state.task = asyncio.get_running_loop().create_task(self._run(target, state))
        return state.task

    # What

    async def _run(self, target: RunTarget, state: _TargetState) -> Run:
        views = frozenset(state.views)
        try:
            settings = await self._configuration.for_run(target.script)
            planner = Planner(self._session, target, settings)
            planned = await asyncio.to_thread(planner.request, state.options, views)
            state.depends_on = frozenset(map(uri_of_name, planned.texts))
            result = await self.executor.run(planned.request, settings.run.backend_choice)
        except PlanError as error:
            return Run(target, Status.INVALID.value, str(error))
        except ConsentError as error:
            return Run(target, REFUSED, str(error), consent_requests=error.consent_requests)
        except BackendError as error:
            return Run(target, UNAVAILABLE, str(error))
        run, said = await asyncio.to_thread(_finished, target, planned, result, views)
        self._take(state, run)
        self._mark(target, said)
        return run

    def _take(self, state: _TargetState, run: Run) -> None:
        state.run = run
        if run.succeeded:
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


def _finished(target: RunTarget, planned: Planned, result: RunResult, views: Collection[View]) -> tuple[Run, _Said]:
    """Return what came out of a run, ready to be shown."""
    files = planned.files(mentioned(result))
    request = planned.request
    marks = marks_of(result, files, request.script.name, planned.entry, reproduction(request))
    texts = texts_of(result, views, target.stem)
    detail = summary(result)
    if result.status is Status.SUCCESS and not has_payload(request):
        detail = NO_PAYLOAD
    return Run(target, result.status.value, detail, result, texts), _Said(marks, files)
