"""How a process ends that must not stay: at once, with what it started, and whatever its threads are at."""

from __future__ import annotations

import atexit
import contextlib
import multiprocessing
import multiprocessing.util
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable

_PATIENCE = 0.5
"""Seconds in which work ends by itself that nobody waits for."""
_CLEANING = 0.4
"""Seconds in which a process that ends puts away what it has."""


def exit_on_signals() -> None:
    """Let requests to end raise SystemExit in the main thread, whatever it does, with the usual status.

    The process ends soon even if that is of no use.
    """

    def leave(number: int, _: object) -> NoReturn:
        threading.Thread(target=_give_up, args=(_PATIENCE + _CLEANING, 128 + number), daemon=True).start()
        raise SystemExit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)


def end_this_process_soon() -> None:
    """Ask this process to end as a signal does, unless it ends by itself before long; for any thread."""

    def ask() -> None:
        time.sleep(_PATIENCE)
        if sys.platform == "win32":
            import _thread

            _thread.interrupt_main(signal.SIGTERM)
        else:
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=ask, daemon=True).start()


def end_this_process(status: int, close: Callable[[], None]) -> NoReturn:
    """End this process and those that it started at once; what its threads are at is not waited for.

    Nor is told what fails in them since what they work with is gone. `close` and what is registered for the end of the
    process are called, and have a moment; what `multiprocessing` has in the system is put away first, since other
    processes complain of what is left of that.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)

    threading.Thread(target=_give_up, args=(_CLEANING, status), daemon=True).start()
    threading.excepthook = lambda _: None
    _end_children()
    with contextlib.suppress(Exception):
        multiprocessing.util._run_finalizers(0)  # type: ignore[attr-defined]
    with contextlib.suppress(Exception):
        close()
    _end_children()
    with contextlib.suppress(Exception):
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def _end_children() -> None:
    for child in multiprocessing.active_children():
        child.kill()


def _give_up(seconds: float, status: int) -> NoReturn:
    time.sleep(seconds)
    os._exit(status)
