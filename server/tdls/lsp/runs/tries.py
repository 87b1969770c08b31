"""Steps that work at places of scripts: tried one after the other between runs, and kept until an input changes."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from tdls.interpreter.errors import PlanError
from tdls.interpreter.runs.plan import NO_PAYLOAD, has_payload
from tdls.lsp.runs.planning import Planner
from tdls.lsp.runs.recordings import target_at
from tdls.lsp.session.session import Kind
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.changes.step_place import StepPlace
    from tdls.ide.runs.next_steps import NextSteps
    from tdls.lsp.protocol.run_target import RunTarget, TargetOptions
    from tdls.lsp.runs.runner import Runs
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.lsp.workspace.consent import Consents

_KEPT = 8
"""Maximum number of places whose steps are kept."""


class _Search:
    """The search for steps at a place; `steps` are those found so far."""

    def __init__(self, target: RunTarget, place: StepPlace, options: TargetOptions) -> None:
        self.target = target
        self.place = place
        self.options = options
        self.steps: NextSteps | None = None
        self.task: asyncio.Task[None]


class Tries:
    """The last places at which steps were tried."""

    def __init__(self, session: Session, configuration: Configuration, consents: Consents, runs: Runs) -> None:
        self._session = session
        self._configuration = configuration
        self._consents = consents
        self._runs = runs
        self._kept: dict[tuple[RunTarget, str, str], _Search] = {}
        """Searches by target, and the texts before and after the place."""
        for kind in (Kind.EDITED, Kind.SAVED):
            session.follow(kind, self._edited)
        for kind in (Kind.CLOSED, Kind.INPUTS, Kind.CONSENT, Kind.SETTINGS, Kind.DEFINITIONS):
            session.follow(kind, lambda uri: self._drop(lambda search: uri in ("", search.target.script)))

    def known(self, target: RunTarget, place: StepPlace, *, begins: bool = False) -> NextSteps | None:
        """Return the steps found so far at a place, or None. Thread-safe; nothing is waited for.

        If it `begins`, they are searched in the background where scripts are run as the user types.
        """
        search, uri = self._kept.get((target, *place.texts)), target.script
        if search is None and begins and self._consents.trusts(uri) and self._configuration.settings(uri).run.live:
            self._session.queues.on_loop(self._begun, target, place, self._runs.options(target))
        return search.steps if search is not None else None

    async def steps(self, target: RunTarget, place: StepPlace, options: TargetOptions) -> NextSteps | None:
        """Return the steps that work at a place, None if a change ended the search; cancelling this ends it.

        Raises PlanError without payload, RecordingError if the run does not come there, ConsentError, BackendError.
        """
        for _ in range(2):  # definitions that are read when the server starts end the first search
            search = self._begun(target, place, options)
            try:
                await asyncio.wait([search.task])
            except asyncio.CancelledError:
                search.task.cancel()
                raise
            if not search.task.cancelled():
                search.task.result()
                return search.steps
        return None

    def close(self) -> None:
        """End all searches."""
        self._drop(lambda _: True)

    def _begun(self, target: RunTarget, place: StepPlace, options: TargetOptions) -> _Search:
        """Return the search at a place, which begins if there was none; another one that goes on ends."""
        key = (target, *place.texts)
        known = self._kept.get(key)
        if known is not None and known.options == options and not known.task.cancelled():
            return known
        self._drop(lambda other: other is known or not other.task.done())
        search = self._kept[key] = _Search(target, place, options)
        search.task = asyncio.get_running_loop().create_task(self._try(search))
        search.task.add_done_callback(lambda task: task.cancelled() or task.exception())  # asyncio logs others
        for oldest in list(self._kept)[:-_KEPT]:
            del self._kept[oldest]
        return search

    async def _try(self, search: _Search) -> None:
        """Try steps; other runs go between them."""
        from tdls.ide.runs.next_steps import SECONDS, Trying

        place, executor = search.place, self._runs.executor
        settings = await self._configuration.for_run(search.target.script)
        planner = Planner(self._session, search.target, settings, await asyncio.to_thread(place.without_line))
        request = (await asyncio.to_thread(planner.request, search.options, ())).request
        if not await asyncio.to_thread(has_payload, request):
            raise PlanError(NO_PAYLOAD)
        request = replace(request, limits=replace(request.limits, seconds=min(SECONDS, request.limits.seconds)))
        choice = settings.run.backend_choice
        trying = await executor.do(lambda backend: Trying(request, place.stop, backend), choice)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and await executor.do(trying.next, choice):
            search.steps = trying.steps
        search.steps = trying.steps

    def _edited(self, uri: str) -> None:
        """Drop what may depend on an edited file; of the script itself, end a search at a place that is gone."""
        file = self._session.file(uri)

        def is_outdated(search: _Search) -> bool:
            if search.target.script != uri or file is None:
                return True
            return not search.task.done() and not search.place.fits(file.text)

        self._drop(is_outdated)

    def _drop(self, is_gone: Callable[[_Search], bool]) -> None:
        for key, search in list(self._kept.items()):
            if is_gone(search):
                del self._kept[key]
                search.task.cancel()


def place_at(uri: str, file: SourceFile, offset: int) -> tuple[RunTarget, StepPlace] | None:
    """Return the place of a next step at an offset, and the target that runs there, or None where none can stand."""
    from tdls.ide.changes.step_place import step_place

    place = step_place(file, offset)
    target = target_at(file, uri, place.stop) if place is not None else None
    return (target, place) if place is not None and target is not None else None
