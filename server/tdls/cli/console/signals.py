"""Work that signals of the system end, and the exit status of each way to end it."""

from __future__ import annotations

import _thread
import contextlib
import signal
import sys
import threading
import time
from functools import partial
from typing import TYPE_CHECKING

from tdls.cli.console import console
from tdls.system import collect_garbage_rarely

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_UNWINDING = 2.0
"""Seconds in which the work may unwind after a signal; a later signal ends the process."""
_OUT_OF_CALLBACK = 0.001
"""Seconds after which a signal that arrived in a callback is raised again."""


def status_of(work: Callable[[], int]) -> int:
    """Do the work of this process, and return its exit status; the streams have to be prepared.

    Raises OutputClosedError and OutputLostError, and any exception that a mistake in tdls causes.
    """
    collect_garbage_rarely()
    with _unwound_by_signals():
        try:
            return _status_of(work)
        except KeyboardInterrupt:
            _end_children()
            return console.EXIT_INTERRUPTED
        except _TerminatedError as error:
            _end_children()
            return console.EXIT_OF_SIGNALS + error.signal


def _status_of(work: Callable[[], int]) -> int:
    try:
        return work()
    except console.InputError as error:
        console.complain(error.message)
        return console.EXIT_USAGE
    finally:
        console.write(())  # Python's own flush at exit could change the status


class _TerminatedError(BaseException):
    """The system requests the end of this process, by the signal `number`."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.signal = number


@contextlib.contextmanager
def _unwound_by_signals() -> Iterator[None]:
    """Let SIGINT, SIGTERM and SIGHUP unwind the work inside, so that no file and no process stays behind.

    Before and after that, they end the process by default.
    """
    request = _EndRequest()
    asking = {signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handled = [number for number in asking if signal.getsignal(number) is signal.SIG_DFL]
    original = sys.unraisablehook
    sys.unraisablehook = partial(request.not_raised, original)
    for number in handled:
        signal.signal(number, request.receive)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)
        sys.unraisablehook = original


class _EndRequest:
    """The request to end this process, which may come more than once: `timeout` sends its signal twice."""

    def __init__(self) -> None:
        self._received: float | None = None

    def receive(self, number: int, _frame: object) -> None:
        """Raise the exception that unwinds the work; signals during the next `_UNWINDING` seconds are ignored.

        A later signal ends the process at once: the work did not unwind.
        """
        now = time.monotonic()
        if self._received is None:
            self._received = now
            raise KeyboardInterrupt if number == signal.SIGINT else _TerminatedError(number)
        if now - self._received > _UNWINDING:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    def not_raised(self, otherwise: Callable[[sys.UnraisableHookArgs], object], lost: sys.UnraisableHookArgs) -> None:
        """Raise the signal again if its exception was lost in a callback, as imports have them."""
        error = lost.exc_value
        if not isinstance(error, (KeyboardInterrupt, _TerminatedError)):
            otherwise(lost)
            return
        number = error.signal if isinstance(error, _TerminatedError) else signal.SIGINT

        def again() -> None:
            time.sleep(_OUT_OF_CALLBACK)
            self._received = None
            _thread.interrupt_main(signal.Signals(number))

        _thread.start_new_thread(again, ())


def _end_children() -> None:
    """End the worker processes, without waiting for the files that they are checking."""
    multiprocessing = sys.modules.get("multiprocessing")
    for child in multiprocessing.active_children() if multiprocessing is not None else ():
        child.terminate()
