"""Runs a script so that it tells what its handles stand for, or goes as far as a place, and else does what it does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.instrumentation.execution_trace import bends_of
from tdls.interpreter.instrumentation.instrumented import (
    Executing,
    PointsOfRun,
    contents_of,
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

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.interpreter.instrumentation.journal import JournalRecord
    from tdls.interpreter.instrumentation.points import Handle, Point
    from tdls.interpreter.instrumentation.timeout_probe import Watcher
    from tdls.interpreter.model import HandleContents, Place, RunRequest
    from tdls.text.span import FileSpan

    CarryOut = Callable[[RunRequest, Journal | None], RunResult]


def stop_at(points: Sequence[Point], offset: int) -> int | None:
    """Return the index of the point behind the operation that `offset` is in or at the end of, or before which it is.

    Of operations in each other it is the innermost whose siblings the interpreter executes one by one. In front of a
    terminator, the run stops there; in the head of a sequence, in front of its terminator. None where nothing is
    executed. `points` are those of one text.
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
"""What it costs at most to pass a point, and to write down what a handle stands for."""
_SMALL_SHARE = 0.2


def run_observed(request: RunRequest, carry_out: CarryOut, place: str, watcher: Callable[[], Watcher]) -> RunResult:
    """Carry out `request`, and observe what it asks for; `carry_out` does one run, with the journal that it writes.

    The files of journals are made in the folder `place`; `watcher` is for `TimeoutProbe`.
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
    """Return what the script is at when the run is cancelled that `carry_out` does; () if it ends before."""
    return _Observed(request, carry_out, place).executing_when_ended()


class _ObservedOutcome(NamedTuple):
    """What came out of a run of the script with insertions, as if there were none, and what it told."""

    result: RunResult
    record: JournalRecord
    handles: tuple[HandleContents, ...]

    @property
    def is_faithful(self) -> bool:
        """True if the run was that of the script alone, as far as anybody can see."""
        return not (self.record.is_disturbed or shows_insertions(self.result))

    @property
    def seconds(self) -> float:
        """How much longer the run took since it was observed, at most."""
        return sum(self.record.passed) * _STEP_SECONDS + len(self.record.moments) * _MOMENT_SECONDS


class _Observed:
    """Runs of one request, with insertions in its scripts and without."""

    def __init__(self, request: RunRequest, carry_out: CarryOut, place: str) -> None:
        self._request = request
        self._carry_out = carry_out
        self._place = place
        self._points, self._meets_itself = PointsOfRun.of(request)

    def result(self) -> RunResult:
        """Return what the script does, with what it tells.

        A run that is observed and succeeds is the run that was asked for. Where it ends in another way, or anything
        that was inserted comes to light, the script runs once more as it is.
        """
        told = self._told(spelled)
        if told.result.status is Status.CANCELLED or self._counts(told):
            return self._with_observations(told.result, told)
        return self._plain(told)

    def executing_at_end_of(self, result: RunResult) -> Executing:
        """Run once more, and return what was being executed when that ended as in `result`; nothing if it did not."""
        return self._executing(result, self._told(spelled))

    def executing_when_ended(self) -> tuple[Place, ...]:
        """Run once, and return what was being executed when that was cancelled; () if it ended before."""
        told = self._told(spelled)
        return executing(self._points, told.record).executing if told.result.status is Status.CANCELLED else ()

    def _executing(self, result: RunResult, told: _ObservedOutcome) -> Executing:
        """Return what was being executed at the end of `result`, if the run that `told` ended there, too."""
        if result.status not in UNFINISHED or told.result.status is not result.status:
            return Executing()
        if result.status is Status.FAILURE and not self._fails_alike(result, told):
            return Executing()
        return executing(self._points, told.record)

    def _fails_alike(self, result: RunResult, told: _ObservedOutcome) -> bool:
        return told.is_faithful and not self._meets_itself and told.result.diagnostics == result.diagnostics

    def until(self, offset: int) -> RunResult:
        """Return what the script does as far as `offset`."""
        script = self._request.script
        place = place_at(script, offset)
        last = stop_at([point for point in self._points if point.script is script], script.edited_offset(offset))
        if last is None:
            return failed(self._unstopped(None), NOT_EXECUTED, place)
        told = self._stopped(last, observes=self._request.observe and not self._meets_itself)
        status = told.result.status
        if status is Status.SUCCESS and told.record.is_stopped:
            is_told = not (self._request.observe and self._meets_itself)
            return self._with_observations(told.result, told if is_told else self._stopped(last, observes=True))
        if status is Status.SUCCESS:
            return failed(self._with_observations(told.result, told), NOT_REACHED, place)
        is_ended = status is Status.CANCELLED or (status is Status.TIMEOUT and self._is_slow_by_itself(told))
        plain = self._with_observations(told.result, told) if is_ended else self._unstopped(told)
        return plain if plain.status is status else failed(plain, NOT_STOPPED, place)

    def _unstopped(self, told: _ObservedOutcome | None) -> RunResult:
        """Return what the script does if it is not stopped; `told` is what it told where it was to be stopped."""
        plain = self._plain(told)
        if plain.status is not Status.FAILURE or plain.executing:
            return plain
        return self.executing_at_end_of(plain).of(plain)

    def _stopped(self, last: int, *, observes: bool) -> _ObservedOutcome:
        """Run the script as far as point `last`."""

        def spelled_at(number: int, handles: tuple[Handle, ...]) -> str:
            return (spelled(number, handles) if observes else "") + (stop() if number == last else "")

        return self._told(spelled_at)

    def _told(self, spelled_at: Callable[[int, tuple[Handle, ...]], str]) -> _ObservedOutcome:
        request = instrumented(self._request, self._points, spelled_at)
        with Journal(bends_of(self._points), [len(point.handles) for point in self._points], self._place) as journal:
            result = without_insertions(self._carry_out(request, journal))
            record = journal.record()
            return _ObservedOutcome(result, record, contents_of(self._points, record, journal.source_map))

    def _counts(self, told: _ObservedOutcome) -> bool:
        """Tell whether the observed run will do for the one that was asked for."""
        status = told.result.status
        if not told.is_faithful or self._meets_itself:
            return False
        return status is Status.SUCCESS or (
            status is Status.TIMEOUT and self._is_slow_by_itself(told) and bool(told.record.executing)
        )

    def _is_slow_by_itself(self, told: _ObservedOutcome) -> bool:
        """Tell whether the script would have taken nearly as long if nobody had looked on."""
        return told.seconds < _SMALL_SHARE * self._request.limits.seconds

    def _plain(self, told: _ObservedOutcome | None) -> RunResult:
        """Return what the script does as it is, with what it told if that ended in the same way."""
        result = self._carry_out(replace(self._request, observe=False, until=None), None)
        if told is not None and result.status is Status.TIMEOUT:
            result = self._out_of_time(result, told)
        if told is None or result.status is not told.result.status:
            return result
        seconds = result.seconds + told.result.seconds
        return self._with_observations(replace(result, seconds=seconds), told)

    def _out_of_time(self, result: RunResult, told: _ObservedOutcome) -> RunResult:
        """Return what is known where the time was up before the script had ended as it is, which gave `result`."""
        if told.result.status is Status.FAILURE and told.is_faithful and not self._meets_itself:
            return told.result
        return replace(result, detail=f"{result.detail}, and telling what its handles hold took part of that")

    def _with_observations(self, result: RunResult, told: _ObservedOutcome) -> RunResult:
        is_known = self._request.observe and result.status is not Status.INVALID and self._is_same(result, told)
        observed = replace(
            result,
            handles=told.handles if is_known else (),
            origins=told.result.origins if is_known else (),
        )
        return self._executing(result, told).of(observed)

    def _is_same(self, result: RunResult, told: _ObservedOutcome) -> bool:
        """Tell whether the script did in `result` what it told."""
        if told.record.is_disturbed:
            return False
        if result.status is Status.SUCCESS and told.is_faithful:
            return (result.texts, result.diagnostics, result.printed) == (
                told.result.texts,
                told.result.diagnostics,
                told.result.printed,
            )
        return result.texts == told.result.texts
