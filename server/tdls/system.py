"""Where programs are: on the search path, and never in the folder that somebody happens to be in."""

from __future__ import annotations

import atexit
import contextlib
import gc
import multiprocessing
import multiprocessing.spawn
import multiprocessing.util
import os
import selectors
import shutil
import signal
import sys
import threading
import time
from contextlib import contextmanager
from multiprocessing import resource_tracker
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.context import SpawnContext

if TYPE_CHECKING:
    from functools import cached_property
else:

    class _KeptProperty:
        """As the one of `functools`, which until Python 3.12 lets all threads wait for one, whatever objects they ask.

        Threads that ask for the same at a time may both make it; all of them get the one that was there first.
        """

        def __init__(self, function):
            self._function = function
            self.__doc__ = function.__doc__

        def __set_name__(self, owner, name):
            self._name = name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            return instance.__dict__.setdefault(self._name, self._function(instance))

    cached_property = _KeptProperty

__all__ = ["cached_property"]

_CHUNK = 1 << 20
_Selector: Final[type[selectors.BaseSelector]] = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""One that takes no descriptor itself, where the system has it."""


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`. Raises OSError if nobody reads it."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view[:_CHUNK]) :]


def readable(descriptors: Iterable[int], seconds: float) -> set[int]:
    """Return those of `descriptors` that have something to be read or have come to their end, within `seconds`.

    `select.select` would take no descriptor from 1024 on.
    """
    with _Selector() as selector:
        for descriptor in descriptors:
            selector.register(descriptor, selectors.EVENT_READ)
        return {key.fd for key, _ in selector.select(max(0.0, seconds))}


_THRESHOLDS = 20_000, 2, 25
"""Allocations until young objects are looked at, and how often that happens until older ones are (`gc`).

Everybody waits meanwhile, threads as well: a look at objects of the middle age takes 20 ms; it took 90 ms at every
tenth look at young ones.
"""


@contextmanager
def garbage_kept() -> Iterator[None]:
    """Look for no garbage meanwhile: for work whose many objects live until it is done, in perhaps half the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def imported_for_good() -> Iterator[None]:
    """Never look for garbage in what is imported meanwhile, nor in what was there before: it stays."""
    with garbage_kept():
        yield
        gc.freeze()


def collect_garbage_rarely() -> None:
    """Look for garbage less often than Python does by itself: trees are many small objects that live long.

    Checking a file takes about a fifth less time, for a few megabytes.
    """
    gc.set_threshold(*_THRESHOLDS)


_OWN_MODULES_ONLY = "-P" if sys.version_info >= (3, 11) else "-I"
"""The option that keeps Python from looking for modules in the folder that it is started in."""
_SILENT_TRACKER = "-Wignore:::multiprocessing.resource_tracker"
"""The option that lets the process that puts away what a sudden end leaves say nothing of that."""


_QUIET_START = """
import gc
from pickle import UnpicklingError
gc.disable()
try:
    {}
except (EOFError, FileNotFoundError, UnpicklingError):
    raise SystemExit(1)
"""
"""What a process executes first: if its parent is gone before it said all of what there is to do, or has thrown away
what it shares with it, it ends.

It looks for no garbage until `work_for_parent`, since what it imports before stays.
"""


def spawn_context() -> SpawnContext:
    """Return what starts processes that import nothing from the current folder, which may be a stranger's.

    `multiprocessing` starts Python with code to execute, and then that folder comes first. What children import
    later, they find where this process does. They complain of nothing if this process ends suddenly, nor does the
    process that puts away what is left then: this has to be what starts the first of them.
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
    """Let processes that are started inside, by `spawn_context`, take no notice of interrupts from the keyboard.

    An interrupt goes to all processes of a terminal, and one that Python is only starting in would show a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
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
    """Prepare this process, of a pool of `spawn_context`, for its work: it ends when its parent does."""
    gc.freeze()
    gc.enable()
    collect_garbage_rarely()
    _end_with_parent()


def _end_with_parent() -> None:
    """Let this process end when its parent does, however that happens."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


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


def search_folders() -> list[Path]:
    """Return the folders of the search path; those that depend on the current folder are none."""
    return [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if Path(folder).is_absolute()]


def find_program(name: str) -> str | None:
    """Return the path of a program by its name on the search path, or as it is given with its folder."""
    if Path(name).name != name:
        return shutil.which(name)
    found = (shutil.which(str(folder / spelling)) for folder in search_folders() for spelling in _spellings(name))
    return next(filter(None, found), None)


def _spellings(name: str) -> list[str]:
    """Return what a file may be called that `name` starts: on Windows, endings may be left out."""
    endings = os.environ.get("PATHEXT", "").split(os.pathsep) if sys.platform == "win32" else []
    return [name, *(f"{name}{ending}" for ending in endings if ending)]
