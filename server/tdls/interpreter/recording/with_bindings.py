"""Records runs of the bindings, whose process writes passings and states as lines of JSON, which survive a crash."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tdls.interpreter.confinement.reports import ReportError, decoded_lines, expect
from tdls.interpreter.instrumentation.execution_trace import bends_of
from tdls.interpreter.instrumentation.instrumented import (
    MEETS_ITSELF,
    PointsOfRun,
    difference,
    executing,
    instrumented,
    shows_insertions,
    without_insertions,
)
from tdls.interpreter.instrumentation.journal import Journal, spelled
from tdls.interpreter.instrumentation.timeout_probe import UNFINISHED
from tdls.interpreter.model import Contents, Status
from tdls.interpreter.recording.checkpoints import NOTES, Checkpoints
from tdls.interpreter.recording.following import followings_of
from tdls.interpreter.recording.records import Passing, RunRecord
from tdls.interpreter.recording.stored_states import RECORDING, StoredState, state_of_line
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from tdls.interpreter.instrumentation.points import Point
    from tdls.interpreter.model import RunRequest, RunResult
    from tdls.interpreter.recording.following import Following
    from tdls.interpreter.recording.records import StateRecord, Wanted
    from tdls.interpreter.source_map import SourceMap

    CarryOut = Callable[[RunRequest, Journal | None], RunResult]

PASSINGS: Final = "passings"
STATES: Final = "states"


class _StoredPassing(NamedTuple):
    """A line of the passings; see `Passing`."""

    point: int
    entered: float
    left: float
    contents: list[tuple[int, dict[str, int]] | None]


class RecordingJournal(Journal):
    """The files of one recorded run."""

    def __init__(
        self,
        points: Sequence[Point],
        followings: Sequence[Following | None],
        wanted: Wanted,
        seconds: float,
        place: str,
    ) -> None:
        """The run may take `seconds`. The folder of the files is created in `place`.

        `checkpoints` are those of the run, if requested and supported.
        """
        super().__init__(bends_of(points), [len(point.handles) for point in points], place)
        self._message = {
            "handles": self.handles,
            "consumed": [list(following.consumed) if following is not None else [] for following in followings],
            "changing": [following is None or following.changes_payload for following in followings],
            "numbers": sorted(wanted.numbers),
            "all": wanted.all,
            "last": wanted.last,
            "seconds": seconds,
        }
        self.checkpoints: Checkpoints | None = None
        if wanted.checkpoints and hasattr(os, "fork"):
            with contextlib.suppress(OSError):
                self.checkpoints = Checkpoints(self.folder, self.handles, seconds, wanted.checkpoints)

    def __enter__(self) -> RecordingJournal:
        return self

    def message(self) -> dict[str, Any]:
        """Return the data for the process that runs the script; see `open_files`, `Writer.of` and `Recorder`."""
        message = super().message()
        files = [*message["files"], PASSINGS, STATES]
        if self.checkpoints is None:
            return {**message, "files": files, RECORDING: {**self._message, "checkpoints": None}}
        recording = {**self._message, "checkpoints": self.checkpoints.message()}
        return {**message, "files": [*files, NOTES], "pipes": self.checkpoints.pipes(), RECORDING: recording}

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.checkpoints is not None:
            self.checkpoints.close()
        super().__exit__(kind, error, trace)

    def taken_checkpoints(self) -> Checkpoints | None:
        """Return the checkpoints of the run, which the caller must close; None without any.

        Raises ReportError.
        """
        checkpoints, self.checkpoints = self.checkpoints, None
        if checkpoints is None:
            return None
        try:
            checkpoints.begin(self.read(NOTES), self.source_map)
        except ReportError:
            checkpoints.close()
            raise
        if not checkpoints.count:
            checkpoints.close()
            return None
        return checkpoints

    def passings(self) -> tuple[Passing, ...]:
        """Parse the passings written so far. Raises ReportError."""
        found: list[Passing] = []
        for point, entered, left, contents in decoded_lines(self.read(PASSINGS), _StoredPassing, PASSINGS):
            fits = 0 <= point < len(self.handles) and len(contents) == self.handles[point]
            expect(fits, PASSINGS, "there is no such point")
            found.append(Passing(point, tuple(known and Contents(*known) for known in contents), entered, left))
        return tuple(found)

    def states(self, source_map: SourceMap) -> dict[int, StateRecord]:
        """Parse the states written so far; `source_map` maps their positions. Raises ReportError."""
        found: dict[int, StateRecord] = {}
        text: bytes | None = None
        for line in decoded_lines(self.read(STATES), StoredState, STATES):
            found[line.passing], text = state_of_line(line, text, source_map, self.handles)
        return found


_SMALL_SHARE = 0.2


def record_with_bindings(request: RunRequest, wanted: Wanted, carry_out: CarryOut, place: str) -> RunRecord:
    """Carry out `request` and record it; `carry_out` does one run that writes the given journal.

    The folders of journals are created in `place`.
    """
    request = replace(request, observe=False, until=None)
    points, meets_itself = PointsOfRun.of(request)
    followings = followings_of(points)
    observed_request = replace(request, emits=frozenset()) if wanted.last is not None else request
    observed_request = instrumented(observed_request, points, spelled)
    with RecordingJournal(points, followings, wanted, request.limits.seconds, place) as journal:
        observed = without_insertions(carry_out(observed_request, journal))
        marks, passings, states = journal.record(), journal.passings(), journal.states(journal.source_map)
        checkpoints = journal.taken_checkpoints()
    is_sure = not meets_itself and not marks.is_disturbed and not shows_insertions(observed)
    result = observed
    if wanted.last is not None or observed.status is Status.CANCELLED:
        reason = MEETS_ITSELF if marks.is_disturbed or shows_insertions(observed) else ""
    elif is_sure and (observed.status is Status.SUCCESS or _is_slow_by_itself(request, observed, passings)):
        reason = ""
    else:
        result = carry_out(replace(request, limits=request.limits.afresh()), None)
        reason = MEETS_ITSELF if marks.is_disturbed else difference(observed, result)
    if reason:
        passings, states = (), {}
        result = replace(result, unobserved=reason)
    elif result.status in UNFINISHED:
        result = executing(points, marks).of(result)
    if checkpoints is not None and not passings:
        checkpoints.close()
        checkpoints = None
    is_complete = sum(marks.passed) <= len(passings) + 1  # a process may end before its last passing is written
    return RunRecord(result, tuple(points), followings, passings, states, is_complete, checkpoints)


def _is_slow_by_itself(request: RunRequest, observed: RunResult, passings: Sequence[Passing]) -> bool:
    """Tell whether the script takes all of its time though recording took almost none of it."""
    if observed.status is not Status.TIMEOUT or not passings:
        return False
    recording = sum((passing.left or 0.0) - (passing.entered or 0.0) for passing in passings)
    return recording < _SMALL_SHARE * request.limits.seconds
