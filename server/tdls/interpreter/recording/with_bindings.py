"""Records runs with bindings in which Python can define transform operations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tdls.interpreter.model import Status
from tdls.interpreter.observation.insertions import shows_insertions, without_insertions
from tdls.interpreter.observation.instrumented import PointsOfRun, executing, instrumented
from tdls.interpreter.observation.operation import spelled
from tdls.interpreter.observation.outcomes import INTERRUPTED, UNFINISHED
from tdls.interpreter.recording.files import RecordingJournal
from tdls.interpreter.recording.following import followings_of
from tdls.interpreter.recording.records import RunRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.interpreter.model import RunRequest, RunResult
    from tdls.interpreter.observation.journal import Journal
    from tdls.interpreter.recording.records import Passing, Wanted

    CarryOut = Callable[[RunRequest, Journal | None], RunResult]

_SMALL_SHARE = 0.2
_ENDED = (*INTERRUPTED, Status.TOO_MUCH_OUTPUT)
"""How runs end that are ended at some moment or other."""


def record_with_bindings(request: RunRequest, wanted: Wanted, carry_out: CarryOut, place: str) -> RunRecord:
    """Carry out `request` and record it; `carry_out` does one run, with the journal that it writes.

    The files of journals are made in the folder `place`.
    """
    request = replace(request, observe=False, until=None)
    points, meets_itself = PointsOfRun.of(request)
    followings = followings_of(points)
    told_request = replace(request, emits=frozenset()) if wanted.last is not None else request
    told_request = instrumented(told_request, points, spelled)
    with RecordingJournal(points, followings, wanted, request.limits.seconds, place) as journal:
        told = without_insertions(carry_out(told_request, journal))
        marks, passings, states = journal.record(), journal.passings(), journal.states(journal.way_back)
        checkpoints = journal.taken_checkpoints()
    is_whole = not marks.is_disturbed and not shows_insertions(told)
    if wanted.last is None and told.status is not Status.CANCELLED:
        result, is_faithful = _as_it_is(request, told, passings, carry_out, is_sure=is_whole and not meets_itself)
        is_faithful &= not marks.is_disturbed
    else:
        result, is_faithful = told, is_whole
    if result.status in UNFINISHED and is_faithful:
        result = executing(points, marks).of(result)
    if not is_faithful:
        passings, states = (), {}
    if checkpoints is not None and not passings:
        checkpoints.close()
        checkpoints = None
    is_complete = sum(marks.passed) <= len(passings) + 1  # what ends a process may do so before the last one is written
    return RunRecord(result, tuple(points), followings, passings, states, is_faithful, is_complete, checkpoints)


def _as_it_is(
    request: RunRequest, told: RunResult, passings: Sequence[Passing], carry_out: CarryOut, *, is_sure: bool
) -> tuple[RunResult, bool]:
    """Return what the script does without insertions, and whether it did the same with them, which gave `told`.

    A run that `is_sure` not to have come upon insertions and succeeds is as good as one without.
    """
    if is_sure and (told.status is Status.SUCCESS or _is_slow_by_itself(request, told, passings)):
        return told, True
    plain = carry_out(replace(request, limits=request.limits.afresh()), None)
    is_same = plain.status in _ENDED or (_said(plain) == _said(told) and plain.texts == told.texts)
    return plain, plain.status is told.status and is_same


def _is_slow_by_itself(request: RunRequest, told: RunResult, passings: Sequence[Passing]) -> bool:
    """Tell whether the script takes all of its time though nearly none of it was taken for telling."""
    if told.status is not Status.TIMEOUT or not passings:
        return False
    telling = sum((passing.left or 0.0) - (passing.entered or 0.0) for passing in passings)
    return telling < _SMALL_SHARE * request.limits.seconds


def _said(result: RunResult) -> list[tuple[object, ...]]:
    return [(said.level, said.file, said.line, said.column) for said in result.diagnostics]
