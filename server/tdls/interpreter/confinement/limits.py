"""Limits that the operating system keeps for a process and all that it forks; where it offers none, nothing happens.

They are hard ones, set before the process is anybody else's program: it cannot raise them again. Root could; what is
confined has given up the privilege for that (`privileges`). What several processes take together is for `watch`.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.interpreter.model import Limits

_SHELL = "/bin/sh"
_LIMITED = 'ulimit -t "$0"; exec "$@"'


def limit_memory(size: int) -> None:
    """Let this process take `size` more bytes of memory than it has. Linux only: others count other things."""
    if sys.platform == "linux":
        import resource

        _lower(resource.RLIMIT_DATA, _data_size() + size)


def limit_written_files(size: int) -> None:
    """Let the operating system end this process when it writes a file of more than `size` bytes. POSIX only."""
    if sys.platform != "win32":
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        _lower(resource.RLIMIT_FSIZE, size)
        _lower(resource.RLIMIT_CORE, 0)


def limit_processor_time(seconds: float) -> None:
    """Let this process, and each that it forks, end by itself if nobody ends it after `seconds`. POSIX only."""
    if sys.platform != "win32":
        import resource

        _lower(resource.RLIMIT_CPU, processor_seconds(seconds))


def limiting(limits: Limits) -> Callable[[], None]:
    """Return what a new process calls on Linux, before it is a program, to have no more than `limits`.

    Its time is that of processors, for when nobody is there any more to end it.
    """
    import resource  # noqa: F401 - a forked process must not import

    def limit() -> None:
        limit_memory(limits.memory)
        limit_written_files(limits.output)
        limit_processor_time(limits.seconds)

    return limit


def within_processor_time(command: Sequence[str], seconds: float) -> list[str]:
    """Return what starts `command` so that it is ended after `seconds` at all of the processors; POSIX only.

    It has no more of them than that in the time that it has, unless nobody looks after it.
    """
    return [_SHELL, "-c", _LIMITED, str(processor_seconds(seconds)), *command]


def processor_seconds(seconds: float) -> int:
    """Return the time that a process has at most at all of the processors if it ends after `seconds`, and some more."""
    return (math.ceil(seconds) + 1) * (os.cpu_count() or 1)


if sys.platform != "win32":

    def _lower(kind: int, size: int) -> None:
        import resource

        _, hard = resource.getrlimit(kind)
        allowed = size if hard == resource.RLIM_INFINITY else min(size, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (allowed, allowed))


def _data_size() -> int:
    """Return the private memory of this process in bytes, 0 if that is not known."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return 0
