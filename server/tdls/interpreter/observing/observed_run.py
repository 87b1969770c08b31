"""Runs a script with observation of its handles, or up to an operation, while its results stay those of a plain run.

Scripts are instrumented with MLIR's own operations, which issue remarks and print. Instrumented runs only add
observations, and only if they end as the plain run does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.interpreter.observing.answers import (
    ObservedRun,
    Show,
    affordable,
    names,
    observed_run,
    printed_at_stop,
    stop,
    stopping_sequence,
    with_names,
    without_stop,
)
from tdls.interpreter.observing.instrumented import instrumented, place_at, points_of_run
from tdls.interpreter.observing.points import outermost, stop_at
from tdls.interpreter.observing.steps import with_executing
from tdls.interpreter.output.exit_codes import still_running
from tdls.interpreter.runs.model import INTERRUPTED, Emit, RunLevel, RunRequest, Status
from tdls.interpreter.runs.placed_edits import Insertion
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.interpreter.mlir.single_run import SingleRuns
    from tdls.interpreter.observing.instrumented import RunTrace
    from tdls.interpreter.observing.points import Handle
    from tdls.interpreter.runs.model import Place, RunResult

NOT_REACHED = "the run ended without coming to this operation"
NOT_EXECUTED = "no operation here is executed by itself"
NOT_STOPPED = "the run cannot be stopped at this operation"
_AGAIN_SECONDS = 5.0
_ROOT_OPTION = "debug-payload-root-tag"


def run_observed(
    request: RunRequest, runs: SingleRuns, is_wanted: Callable[[RunResult], bool] | None = None
) -> RunResult:
    """Carry out `request`, and add the requested observations to a plain result that `is_wanted`."""
    if request.until is not None:
        return _ObservedRuns(request, runs).until(request.until)
    result = runs.plain(request)
    if is_wanted is not None and not is_wanted(result):
        return result
    if result.status in INTERRUPTED or (result.status is Status.FAILURE and not request.observe):
        repeated = again(request, result.status)
        return _ObservedRuns(repeated, runs).observed(result) if repeated is not None else result
    if request.observe and result.status not in (Status.INVALID, Status.CANCELLED):
        return _ObservedRuns(request, runs).observed(result)
    return result


def again(request: RunRequest, status: Status = Status.FAILURE) -> RunRequest | None:
    """Return a repetition of `request` with a limit of a few seconds, to find the operations in execution at its end.

    None if it has no time left; if a run took all of its time, the repetition takes a few seconds more.
    """
    left = request.limits.seconds if status is Status.TIMEOUT else request.limits.left
    return replace(request, limits=request.limits.afresh(min(left, _AGAIN_SECONDS)).begun()) if left > 0 else None


def failed(result: RunResult, message: str, place: Place) -> RunResult:
    """Return `result`, if successful, as a failure at `place`."""
    if result.status is not Status.SUCCESS:
        return result
    error = place.diagnostic(RunLevel.ERROR, message)
    return replace(result, status=Status.FAILURE, texts={}, origins=(), diagnostics=(*result.diagnostics, error))


class _ObservedRuns:
    """The instrumented runs of one request."""

    def __init__(self, request: RunRequest, runs: SingleRuns) -> None:
        self._request = request
        self._runs = runs
        self._points = points_of_run(request)
        self._lines = (request.payload or request.script).text.count("\n") + 1
        self._show = Show.of(self._lines, shows_operations=runs.shows_operations)

    def observed(self, result: RunResult) -> RunResult:
        """Return `result` with the observations of another run."""
        run = self._run_instrumented(None)
        reason = run.difference(result)
        if reason:
            return replace(result, unobserved=reason) if self._request.observe else result
        result = with_executing(result, self._points, run.record.passings)
        return self._with_observations(result, run, None) if self._request.observe else result

    def until(self, offset: int) -> RunResult:
        """Return the result of the script up to `offset`."""
        script = self._request.script
        place = place_at(script, offset)
        last = stop_at([point for point in self._points if point.script is script], script.edited_offset(offset))
        if last is None or any(name == _ROOT_OPTION for name, _ in self._request.options):
            return failed(self._unstopped(), NOT_EXECUTED if last is None else NOT_STOPPED, place)
        raw = self._runs.raw(self._instrumented(lambda _number, _handles: "", last), is_quiet=False)
        if raw.status is Status.TIMEOUT:
            result = self._runs.ended_with(replace(self._request, emits=frozenset()), raw)
            return replace(result, status=Status.TIMEOUT, detail=still_running(self._request.limits.seconds))
        stopped = printed_at_stop(raw.printed)
        if stopped is None or raw.status is not Status.FAILURE:
            message = NOT_REACHED if raw.status is Status.SUCCESS else NOT_STOPPED
            return failed(self._unstopped(), message, place)
        printed, module = stopped
        again = printed_at_stop(raw.located_prints)
        located = without_stop(again[1] if again is not None else raw.located)
        errors = [index for index, each in enumerate(raw.diagnostics) if each.level is RunLevel.ERROR]
        said = [each for index, each in enumerate(raw.diagnostics) if index not in errors[-1:]]
        result = replace(
            self._runs.ended_with(self._request, replace(raw, module=without_stop(module), located=located)),
            printed=printed,
            diagnostics=raw.source_map.diagnostics(said),
        )
        return self._with_observations(result, self._run_instrumented(last), last) if self._request.observe else result

    def _unstopped(self) -> RunResult:
        """Run the script without a stop, and add observations to a failure."""
        result = self._runs.plain(self._request)
        return self.observed(result) if result.status is Status.FAILURE else result

    def _instrumented(self, spelled: Callable[[int, tuple[Handle, ...]], str], last: int | None) -> RunRequest:
        """Insert `spelled` texts at all points, and the stop at point `last` if given."""
        if last is None:
            return instrumented(self._request, self._points, spelled)

        def stopping(number: int, handles: tuple[Handle, ...]) -> str:
            return spelled(number, handles) + (stop() if number == last else "")

        own = [point for point in self._points if point.script is self._request.script]
        sequence = Insertion(outermost(own, self._points[last].offset), stopping_sequence())
        return instrumented(self._request, self._points, stopping, [sequence])

    def _run_instrumented(self, last: int | None) -> ObservedRun:
        """Run the script with instrumentation, up to point `last` if given."""
        show = self._show if self._request.observe else Show.POINTS
        return observed_run(
            self._points, show, lambda spelled: self._runs.raw(self._instrumented(spelled, last), is_located=True)
        )

    def _with_observations(self, result: RunResult, observed: ObservedRun, last: int | None) -> RunResult:
        handles = observed.handles(self._named(observed, last))
        return replace(result, handles=handles, origins=observed.origins(result.texts.get(Emit.PAYLOAD)))

    def _named(self, observed: ObservedRun, last: int | None) -> RunTrace:
        """Return the observations with the names of operations, where they can be printed in reasonable time."""
        if self._show is Show.NAMES:
            return with_names(observed.record, observed.raw.printed)
        wanted = affordable(observed.record, self._points, self._lines)
        if not wanted:
            return observed.record

        def spelled(number: int, handles: tuple[Handle, ...]) -> str:
            numbered = ((index, handle) for index, handle in enumerate(handles) if (number, index) in wanted)
            return "".join(names(number, index, handle) for index, handle in numbered)

        return with_names(observed.record, self._runs.raw(self._instrumented(spelled, last), is_printed=False).printed)
