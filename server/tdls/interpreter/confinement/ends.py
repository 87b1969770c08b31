"""Processes that end when the one that started them does, even if that is killed and can do nothing about it."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SHELL = "/bin/sh"
_LIMITED = 'ulimit -t "$0"; exec "$@"'


def ending_with_thread() -> Callable[[], None] | None:
    """Return what a new process calls, before it is a program, to be killed when the thread ends that started it.

    None where the system has no such thing. Linux only; the thread has to stay for as long as the process.
    """
    if sys.platform != "linux":
        return None
    try:
        from tdls.interpreter.confinement.system_calls import end_with_parent_thread
    except ImportError:  # of ctypes, which a Python may lack
        return None
    parent = os.getpid()

    def end_with_parent() -> None:
        end_with_parent_thread()
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)

    return end_with_parent


def adopt_orphans() -> None:
    """Let processes whose parent ended be children of this one, so that it notices their ends, where that is offered.

    Elsewhere they are children of the first process of the system. Linux only.
    """
    if sys.platform == "linux":
        with contextlib.suppress(ImportError, OSError):  # ImportError of ctypes, which a Python may lack
            from tdls.interpreter.confinement import system_calls

            system_calls.adopt_orphans()


def within_processor_time(command: Sequence[str], seconds: float) -> list[str]:
    """Return what starts `command` so that it is ended after `seconds` at all of the processors; POSIX only.

    It has no more of them than that in the time that it has, unless nobody looks after it.
    """
    return [_SHELL, "-c", _LIMITED, str(processor_seconds(seconds)), *command]


def processor_seconds(seconds: float) -> int:
    """Return the time that a process has at most at all of the processors if it ends after `seconds`, and some more."""
    return (math.ceil(seconds) + 1) * (os.cpu_count() or 1)
