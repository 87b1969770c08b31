"""Learns what a script is at when its time is up, without taking more time: it runs a second time beside itself."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from tdls.interpreter.backend import BackendError
from tdls.interpreter.model import RunDiagnostic, RunLevel, Status

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from tdls.interpreter.model import Place, RunRequest, RunResult

NOT_REACHED = "the run ended without coming to this operation"
NOT_EXECUTED = "no operation here is executed by itself"
NOT_STOPPED = "the run cannot be stopped at this operation"
INTERRUPTED = (Status.CRASH, Status.TIMEOUT, Status.OUT_OF_MEMORY)
"""How runs end that were ended."""
UNFINISHED = (*INTERRUPTED, Status.FAILURE)
"""How runs end that were executing something."""
_AGAIN_SECONDS = 5.0


def failed(result: RunResult, message: str, place: Place) -> RunResult:
    """Return `result`, where it is a success, as a failure to come to `place`."""
    if result.status is not Status.SUCCESS:
        return result
    error = RunDiagnostic(RunLevel.ERROR, message, place.file, place.line, place.column)
    return replace(result, status=Status.FAILURE, texts={}, origins=(), diagnostics=(*result.diagnostics, error))


def again(request: RunRequest) -> RunRequest | None:
    """Return what repeats `request` to learn what it was at when it ended, in a few seconds at most.

    None if it has no time left.
    """
    left = request.limits.left
    return replace(request, limits=request.limits.afresh(min(left, _AGAIN_SECONDS))) if left > 0 else None


_LONGEST_LOOK = 10.0
"""Seconds before the end at which the second run begins; of a short time, it has the second half."""


class Watcher(Protocol):
    """Runs a script, beside the run that counts, so that it tells what it is at."""

    def executing(self, request: RunRequest) -> tuple[Place, ...]:
        """Return what was being executed when `cancel` ended the run, as a result has it; () if it had ended before."""
        ...

    def cancel(self) -> None:
        """End the run that another thread waits for, and begin none that has not begun."""
        ...

    def close(self) -> None:
        """End all processes."""
        ...


class TimeoutProbe:
    """A second run, as long as the object is used as a context, if that is long; `places` are what it was at then."""

    def __init__(self, request: RunRequest, watcher: Callable[[], Watcher]) -> None:
        """`watcher` is called in another thread, if ever."""
        seconds = request.limits.left
        self.places: tuple[Place, ...] = ()
        self._request = replace(request, limits=request.limits.afresh())
        self._make = watcher
        self._watcher: Watcher | None = None
        self._lock = threading.Lock()
        self._is_over = False
        self._timer = threading.Timer(max(seconds / 2, seconds - _LONGEST_LOOK), self._look)
        self._timer.daemon = True

    def __enter__(self) -> TimeoutProbe:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self._is_over = True
            watcher = self._watcher
        if watcher is not None:
            watcher.cancel()
        self._timer.join()

    def _look(self) -> None:
        with self._lock:
            if self._is_over:
                return
            watcher = self._watcher = self._make()
        try:
            with contextlib.suppress(BackendError):
                self.places = watcher.executing(self._request)
        finally:
            watcher.close()
