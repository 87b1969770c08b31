"""Work that signals of the system end, and the exit status of each way to end it."""

from __future__ import annotations

import _thread
import contextlib
import os
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
    from types import FrameType

_UNWINDING = 2.0
"""Seconds in which the work may unwind after a signal; a later signal ends the process."""
_LONGEST_UNWINDING = 10.0
"""Seconds after a signal at which the process ends without another one."""
_LATER = 0.001
"""Seconds after which a signal that cannot unwind the work yet is raised again."""
_IMPORTING = "<frozen importlib._bootstrap>"


def status_of(work: Callable[[], int]) -> int:
    """Do the work of this process, and return its exit status; the streams have to be prepared.

    Raises OutputClosedError and OutputLostError, and any exception that a mistake in tdls causes.
    """
    collect_garbage_rarely()
    with _unwound_by_signals() as request:
        try:
            status = _status_of(work)
        except KeyboardInterrupt:  # also from a prompt at the end of its input
            _end_children()
            status = console.EXIT_INTERRUPTED
        except _TerminatedError as error:
            _end_children()
            status = console.EXIT_OF_SIGNALS + error.signal
        if request.is_raised:
            from tdls.processes import end_this_process

            end_this_process(status, lambda: None)
    return status


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
def _unwound_by_signals() -> Iterator[_EndRequest]:
    """Let SIGINT, SIGTERM and SIGHUP unwind the work inside, so that no file and no process stays behind.

    Before and after that, they end the process by default.
    """
    request = _EndRequest()
    asking = {signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}
    if threading.current_thread() is not threading.main_thread():
        yield request
        return
    handled = [number for number in asking if signal.getsignal(number) is signal.SIG_DFL]
    original = sys.unraisablehook
    sys.unraisablehook = partial(request.not_raised, original)
    for number in handled:
        signal.signal(number, request.receive)
    try:
        yield request
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)
        sys.unraisablehook = original


class _EndRequest:
    """The request to end this process, which may come more than once: `timeout` sends its signal twice."""

    def __init__(self) -> None:
        self._received: float | None = None
        self.is_raised = False
        """True if the work was told to unwind."""

    def receive(self, number: int, frame: FrameType | None) -> None:
        """Raise the exception that unwinds the work; signals during the next `_UNWINDING` seconds are ignored.

        A later signal ends the process at once: the work did not unwind. An import is not interrupted, as it would
        keep locks for which other threads wait when they start processes.
        """
        now = time.monotonic()
        if self._received is None:
            self._received = now
            _thread.start_new_thread(_give_up, (number,))
        is_early = now - self._received <= _UNWINDING
        if not self.is_raised and is_early and _is_importing(frame):
            _raise_later(number)
        elif not self.is_raised:
            self.is_raised = True
            raise KeyboardInterrupt if number == signal.SIGINT else _TerminatedError(number)
        elif not is_early:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    def not_raised(self, otherwise: Callable[[sys.UnraisableHookArgs], object], lost: sys.UnraisableHookArgs) -> None:
        """Raise the signal again if its exception was lost in a callback, such as a finalizer."""
        error = lost.exc_value
        if isinstance(error, (KeyboardInterrupt, _TerminatedError)):
            self.is_raised = False
            _raise_later(error.signal if isinstance(error, _TerminatedError) else signal.SIGINT)
        else:
            otherwise(lost)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTING:
            return True
        frame = frame.f_back
    return False


def _raise_later(number: int) -> None:
    def again() -> None:
        time.sleep(_LATER)
        _thread.interrupt_main(signal.Signals(number))

    _thread.start_new_thread(again, ())


def _give_up(number: int) -> None:
    """End this process when its main thread has waited too long, perhaps for a lock that another thread keeps."""
    time.sleep(_LONGEST_UNWINDING)
    os._exit(console.EXIT_OF_SIGNALS + number)


def _end_children() -> None:
    """End the worker processes, without waiting for the files that they are checking.

    Threads that lose the connections to them say nothing.
    """
    threading.excepthook = lambda _lost: None
    multiprocessing = sys.modules.get("multiprocessing")
    for child in multiprocessing.active_children() if multiprocessing is not None else ():
        child.terminate()
