"""How processes of tdls start and end: worker processes, signals, and children that end with their parent.

Worker processes look up no module in the current folder, which may be a stranger's.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import faulthandler
import gc
import logging
import multiprocessing
import multiprocessing.spawn
import multiprocessing.util
import os
import signal
import sys
import threading
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from tdls.system import collect_garbage_rarely

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.context import SpawnContext

_OWN_MODULES_ONLY = "-P" if sys.version_info >= (3, 11) else "-I"
"""The option that keeps Python from importing modules from its start folder."""
_SILENT_TRACKER = "-Wignore:::multiprocessing.resource_tracker"
"""The option that silences the resource tracker, which cleans up after processes that end suddenly."""


_QUIET_START = """
import gc
from pickle import UnpicklingError
gc.disable()
try:
    {}
except (EOFError, FileNotFoundError, UnpicklingError):
    raise SystemExit(1)
"""
"""The first code of a child process: it ends if its parent is gone before it has sent the whole task, or has removed
the resources it shares with the child.

Garbage collection is off until `work_for_parent`, since modules imported before stay.
"""


def spawn_context() -> SpawnContext:
    """Return the context for child processes that import nothing from the current folder, which may be a stranger's.

    `multiprocessing` starts Python with code to execute, which puts that folder first on the module search path.
    Later imports of children use the search path of this process. If this process ends suddenly, the children print
    no errors, nor does the resource tracker; for that, this context has to start the first child.
    """
    arguments = multiprocessing.util._args_from_interpreter_flags  # type: ignore[attr-defined]
    if not hasattr(arguments, "is_isolating"):

        def isolating() -> list[str]:
            return [*arguments(), _OWN_MODULES_ONLY, _SILENT_TRACKER]

        isolating.is_isolating = True  # type: ignore[attr-defined]
        multiprocessing.util._args_from_interpreter_flags = isolating  # type: ignore[attr-defined]
        _start_quietly()
    return multiprocessing.get_context("spawn")


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Let processes that `spawn_context` starts in the block ignore interrupts from the keyboard.

    An interrupt goes to all processes of a terminal; a process in which Python is still starting would print a
    traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker  # which browsers lack

    resource_tracker.ensure_running()  # which would lift the mask again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_quietly() -> None:
    original = multiprocessing.spawn.get_command_line

    def quiet(**given: Any) -> list[str]:
        command = original(**given)
        if "-c" in command:
            program = command.index("-c") + 1
            command[program] = _QUIET_START.format(command[program])
        return command

    multiprocessing.spawn.get_command_line = quiet


def work_for_parent() -> None:
    """Set up a worker process of `spawn_context`: turn garbage collection on again, and end with the parent."""
    gc.freeze()
    gc.enable()
    collect_garbage_rarely()
    _end_with_parent()


def _end_with_parent() -> None:
    """Let this process end when its parent does, even if the parent is killed."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


_PATIENCE = 0.2
"""Seconds to let abandoned work finish by itself."""
_CLEANING = 0.7
"""Seconds to let an ending process clean up, which takes a few milliseconds unless the machine is busy."""
_LOOK_AGAIN = 0.2
"""Seconds between two looks at a process whose end the system does not report."""


def exit_on_signals() -> None:
    """Let SIGINT and SIGTERM raise SystemExit in the main thread, at any point, with status 128 + signal number.

    The process ends soon even if that exception is caught or the main thread hangs.
    """

    def leave(number: int, _: object) -> NoReturn:
        _give_up_after(_PATIENCE + _CLEANING, 128 + number)
        raise SystemExit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)


def end_this_process_soon() -> None:
    """Send SIGTERM to this process, unless it ends by itself before long. Any thread may call this."""

    def ask() -> None:
        time.sleep(_PATIENCE)
        if sys.platform == "win32":
            _thread.interrupt_main(signal.SIGTERM)
        else:
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=ask, daemon=True).start()


def end_this_process(status: int, close: Callable[[], None]) -> NoReturn:
    """End this process and its child processes at once, without waiting for its threads.

    Errors in threads whose resources are gone are not reported. `close` and the functions registered with `atexit` are
    called and have a moment; system resources of `multiprocessing` are released first, since other processes report
    leaked ones. Nothing here waits for a lock that another thread may hold while it starts a process.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)

    _give_up_after(_CLEANING, status)
    threading.excepthook = lambda _: None
    atexit.unregister(logging.shutdown)  # whose lock is held during forks
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


def _give_up_after(seconds: float, status: int) -> None:
    """End this process after a time with `status`, or soon after that with 1 if no thread of Python gets to run."""

    def give_up() -> None:
        time.sleep(seconds)
        os._exit(status)

    _thread.start_new_thread(give_up, ())  # a `Thread` would wait for locks
    faulthandler.dump_traceback_later(seconds + _PATIENCE / 2, exit=True, file=_nowhere())


@cache
def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def end_with_process(identifier: int) -> None:
    """Let this process end soon after another one, of the client, unless that cannot be seen from here.

    A client in another container has a number that means no process here, or another one.
    """
    wait = _waiting_for(identifier)
    if wait is None:
        return

    def watch() -> None:
        wait()
        end_this_process_soon()

    threading.Thread(target=watch, name="tdls-client", daemon=True).start()


def _waiting_for(identifier: int) -> Callable[[], object] | None:
    """Return a function that returns when a process has ended, or None if there is no such process."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.WinDLL("kernel32")
        kernel.OpenProcess.restype = ctypes.c_void_p
        handle = kernel.OpenProcess(0x00100000, False, identifier)  # SYNCHRONIZE
        forever = 0xFFFFFFFF
        return (lambda: kernel.WaitForSingleObject(ctypes.c_void_p(handle), forever)) if handle else None
    if not _is_running(identifier):
        return None

    def look() -> None:
        while _is_running(identifier):
            time.sleep(_LOOK_AGAIN)

    return look


def _is_running(identifier: int) -> bool:
    """Whether a process exists, on POSIX, whoever it belongs to."""
    try:
        os.kill(identifier, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
