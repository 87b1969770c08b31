"""Finds the operations in execution at a timeout without taking more time: a second run is started in parallel."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Protocol

from tdls.interpreter.errors import BackendError
from tdls.interpreter.model import RunDiagnostic, RunLevel, Status
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from tdls.interpreter.model import Place, RunRequest, RunResult

NOT_REACHED = "the run ended without coming to this operation"
NOT_EXECUTED = "no operation here is executed by itself"
NOT_STOPPED = "the run cannot be stopped at this operation"
INTERRUPTED = (Status.CRASH, Status.TIMEOUT, Status.OUT_OF_MEMORY)
"""Statuses of runs that were ended from outside."""
UNFINISHED = (*INTERRUPTED, Status.FAILURE)
"""Statuses of runs that ended while executing an operation."""
_AGAIN_SECONDS = 5.0


def failed(result: RunResult, message: str, place: Place) -> RunResult:
    """Return `result`, if successful, as a failure at `place`."""
    if result.status is not Status.SUCCESS:
        return result
    error = RunDiagnostic(RunLevel.ERROR, message, place.file, place.line, place.column)
    return replace(result, status=Status.FAILURE, texts={}, origins=(), diagnostics=(*result.diagnostics, error))


def again(request: RunRequest) -> RunRequest | None:
    """Return a repetition of `request` with a limit of a few seconds, to find the operations in execution at its end.

    None if it has no time left.
    """
    left = request.limits.left
    return replace(request, limits=request.limits.afresh(min(left, _AGAIN_SECONDS))) if left > 0 else None


_LONGEST_LOOK = 10.0
"""Seconds before the end at which the second run begins; if the time is short, it begins halfway."""


class Watcher(Protocol):
    """Runs a script in parallel to the actual run, to report its operations in execution."""

    def executing(self, request: RunRequest) -> tuple[Place, ...]:
        """Return the operations in execution when `cancel` ended the run, as in a result; () if it had ended before."""
        ...

    def cancel(self) -> None:
        """End the run that another thread waits for, or prevent it if it has not begun."""
        ...

    def close(self) -> None:
        """End all processes."""
        ...


class TimeoutProbe:
    """A second run in parallel to a long first one, while the object is used as a context; `places` is its result."""

    def __init__(self, request: RunRequest, watcher: Callable[[], Watcher]) -> None:
        """`watcher` is called in another thread, if at all."""
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
