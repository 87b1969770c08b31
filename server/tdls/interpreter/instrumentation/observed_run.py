"""Runs a script with observation of its handles, or up to a place, while its results stay those of a plain run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.instrumentation.execution_trace import bends_of
from tdls.interpreter.instrumentation.instrumented import (
    MEETS_ITSELF,
    Executing,
    PointsOfRun,
    contents_in,
    difference,
    executing,
    instrumented,
    place_at,
    shows_insertions,
    without_insertions,
)
from tdls.interpreter.instrumentation.journal import Journal, spelled, stop
from tdls.interpreter.instrumentation.timeout_probe import (
    NOT_EXECUTED,
    NOT_REACHED,
    NOT_STOPPED,
    UNFINISHED,
    TimeoutProbe,
    again,
    failed,
)
from tdls.interpreter.model import RunResult, Status
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.interpreter.instrumentation.journal import JournalRecord
    from tdls.interpreter.instrumentation.points import Handle, Point
    from tdls.interpreter.instrumentation.timeout_probe import Watcher
    from tdls.interpreter.model import HandleContents, Place, RunRequest
    from tdls.text.span import FileSpan

    CarryOut = Callable[[RunRequest, Journal | None], RunResult]


def stop_at(points: Sequence[Point], offset: int) -> int | None:
    """Return the index of the point behind the operation that contains `offset`, ends there, or comes next.

    Of nested operations it is the innermost one whose siblings the interpreter executes one by one. Before a
    terminator, the run stops there; in the head of a sequence, before its terminator. None where nothing is executed.
    `points` are those of one text.
    """
    here = [index for index, point in enumerate(points) if _is_in(offset, point.region)]
    if here:
        innermost = points[max(here, key=lambda index: points[index].region.start)].region
        return _in_block(points, [index for index in here if points[index].region == innermost], offset)
    outer = [index for index, point in enumerate(points) if _is_in(offset, point.around)]
    return next((index for index in outer if points[index].is_last), None)


def _in_block(points: Sequence[Point], block: list[int], offset: int) -> int | None:
    for index in block:
        behind = points[index].behind
        if behind is not None and offset <= behind.end:
            return index
    return next((index for index in reversed(block) if points[index].is_last), None)


def _is_in(offset: int, span: FileSpan) -> bool:
    return span.start <= offset < span.end


_STEP_SECONDS, _MOMENT_SECONDS = 40e-6, 5e-3
"""Maximum cost of passing a point, and of recording a handle's contents."""
_SMALL_SHARE = 0.2


def run_observed(request: RunRequest, carry_out: CarryOut, place: str, watcher: Callable[[], Watcher]) -> RunResult:
    """Carry out `request` with the requested observations; `carry_out` does one run that writes the given journal.

    The folders of journals are created in `place`; `watcher` is for `TimeoutProbe`.
    """
    if request.until is not None:
        return _Observed(request, carry_out, place).until(request.until)
    if request.observe:
        return _Observed(request, carry_out, place).result()
    with TimeoutProbe(request, watcher) as timeout_probe:
        result = carry_out(request, None)
    if result.status is Status.TIMEOUT:
        return replace(result, executing=timeout_probe.places)
    repeated = again(request) if result.status in UNFINISHED else None
    if repeated is None:
        return result
    return _Observed(repeated, carry_out, place).executing_at_end_of(result).of(result)


def executing_when_ended(request: RunRequest, carry_out: CarryOut, place: str) -> tuple[Place, ...]:
    """Return the operations in execution when the run of `carry_out` is cancelled; () if it ends before."""
    return _Observed(request, carry_out, place).executing_when_ended()


class _ObservedOutcome(NamedTuple):
    """The result of an instrumented run, with the instrumentation removed, and its observations."""

    result: RunResult
    record: JournalRecord
    handles: tuple[HandleContents, ...]

    @property
    def is_faithful(self) -> bool:
        """True if no sign shows that the instrumentation changed the run."""
        return not (self.record.is_disturbed or shows_insertions(self.result))

    def difference(self, plain: RunResult) -> str:
        """Return how the run differs from the `plain` one; "" if it does the same."""
        if self.record.is_disturbed:
            return MEETS_ITSELF
        reason = difference(self.result, plain)
        is_printed_alike = self.result.printed == plain.printed or plain.status is not Status.SUCCESS
        return reason or ("" if is_printed_alike or not self.is_faithful else "the observed run printed another text")

    @property
    def seconds(self) -> float:
        """Maximum overhead of the observation."""
        return sum(self.record.passed) * _STEP_SECONDS + len(self.record.moments) * _MOMENT_SECONDS


class _Observed:
    """Runs of one request, instrumented and plain."""

    def __init__(self, request: RunRequest, carry_out: CarryOut, place: str) -> None:
        self._request = request
        self._carry_out = carry_out
        self._place = place
        self._points, self._meets_itself = PointsOfRun.of(request)

    def result(self) -> RunResult:
        """Return the result of the script, with its observations.

        A successful observed run is the requested run. If it ends in another way, or instrumentation becomes visible,
        the script runs again without it.
        """
        outcome = self._run_instrumented(spelled)
        if outcome.result.status is Status.CANCELLED or self._counts(outcome):
            return self._with_observations(outcome.result, outcome)
        return self._plain(outcome)

    def executing_at_end_of(self, result: RunResult) -> Executing:
        """Run again, and return the operations in execution at the same end as in `result`; empty if it ended
        differently.
        """
        return self._executing(result, self._run_instrumented(spelled))

    def executing_when_ended(self) -> tuple[Place, ...]:
        """Run once, and return the operations in execution when the run was cancelled; () if it ended before."""
        outcome = self._run_instrumented(spelled)
        return executing(self._points, outcome.record).executing if outcome.result.status is Status.CANCELLED else ()

    def _executing(self, result: RunResult, outcome: _ObservedOutcome) -> Executing:
        """Return the operations in execution at the end of `result`, if the observed run ended there, too."""
        if result.status not in UNFINISHED or outcome.result.status is not result.status:
            return Executing()
        is_alike = outcome.is_faithful and not self._meets_itself and outcome.result.diagnostics == result.diagnostics
        if result.status is Status.FAILURE and not is_alike:
            return Executing()
        return executing(self._points, outcome.record)

    def until(self, offset: int) -> RunResult:
        """Return the result of the script up to `offset`."""
        script = self._request.script
        place = place_at(script, offset)
        last = stop_at([point for point in self._points if point.script is script], script.edited_offset(offset))
        if last is None:
            return failed(self._unstopped(None), NOT_EXECUTED, place)
        outcome = self._stopped(last, observes=self._request.observe and not self._meets_itself)
        status = outcome.result.status
        if status is Status.SUCCESS and outcome.record.is_stopped:
            is_observed = not (self._request.observe and self._meets_itself)
            return self._with_observations(
                outcome.result, outcome if is_observed else self._stopped(last, observes=True)
            )
        if status is Status.SUCCESS:
            return failed(self._with_observations(outcome.result, outcome), NOT_REACHED, place)
        is_ended = status is Status.CANCELLED or (status is Status.TIMEOUT and self._is_slow_by_itself(outcome))
        plain = self._with_observations(outcome.result, outcome) if is_ended else self._unstopped(outcome)
        return plain if plain.status is status else failed(plain, NOT_STOPPED, place)

    def _unstopped(self, outcome: _ObservedOutcome | None) -> RunResult:
        """Return the result of the script without a stop; `outcome` is that of the run that should have stopped."""
        plain = self._plain(outcome)
        if plain.status is not Status.FAILURE or plain.executing:
            return plain
        return self.executing_at_end_of(plain).of(plain)

    def _stopped(self, last: int, *, observes: bool) -> _ObservedOutcome:
        """Run the script up to point `last`."""

        def spelled_at(number: int, handles: tuple[Handle, ...]) -> str:
            return (spelled(number, handles) if observes else "") + (stop() if number == last else "")

        return self._run_instrumented(spelled_at)

    def _run_instrumented(self, spelled_at: Callable[[int, tuple[Handle, ...]], str]) -> _ObservedOutcome:
        request = instrumented(self._request, self._points, spelled_at)
        with Journal(bends_of(self._points), [len(point.handles) for point in self._points], self._place) as journal:
            result = without_insertions(self._carry_out(request, journal))
            record = journal.record()
            return _ObservedOutcome(result, record, contents_in(self._points, record, journal.source_map))

    def _counts(self, outcome: _ObservedOutcome) -> bool:
        """Tell whether the observed run can serve as the requested run."""
        status = outcome.result.status
        if not outcome.is_faithful or self._meets_itself:
            return False
        return status is Status.SUCCESS or (
            status is Status.TIMEOUT and self._is_slow_by_itself(outcome) and bool(outcome.record.executing)
        )

    def _is_slow_by_itself(self, outcome: _ObservedOutcome) -> bool:
        """Tell whether the script would have taken nearly as long without observation."""
        return outcome.seconds < _SMALL_SHARE * self._request.limits.seconds

    def _plain(self, outcome: _ObservedOutcome | None) -> RunResult:
        """Return the plain result, with the observations if the observed run ended in the same way."""
        result = self._carry_out(replace(self._request, observe=False, until=None), None)
        if outcome is not None and result.status is Status.TIMEOUT:
            result = self._out_of_time(result, outcome)
        if outcome is None:
            return result
        seconds = result.seconds + outcome.result.seconds
        return self._with_observations(replace(result, seconds=seconds), outcome)

    def _out_of_time(self, result: RunResult, outcome: _ObservedOutcome) -> RunResult:
        """Return a result for a plain run (`result`) that ran out of time, though the observed run may have ended."""
        if outcome.result.status is Status.FAILURE and outcome.is_faithful and not self._meets_itself:
            return outcome.result
        return replace(result, detail=f"{result.detail}, and telling what its handles hold took part of that")

    def _with_observations(self, result: RunResult, outcome: _ObservedOutcome) -> RunResult:
        is_wanted = self._request.observe and result.status is not Status.INVALID
        reason = outcome.difference(result) if is_wanted else ""
        is_known = is_wanted and not reason
        observed = replace(
            result,
            handles=outcome.handles if is_known else (),
            origins=outcome.result.origins if is_known else (),
            unobserved=reason,
        )
        return self._executing(result, outcome).of(observed)
