"""What every process needs that works for another one."""

from __future__ import annotations

import gc
import multiprocessing
import multiprocessing.spawn
import multiprocessing.util
import os
import signal
import sys
import threading
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any

from tdls.system.memory import collect_garbage_rarely

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.context import SpawnContext

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
