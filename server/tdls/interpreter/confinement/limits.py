"""Resource limits of the operating system for a process and its children; without effect where unsupported.

They are hard limits, set before the process runs foreign code, so it cannot raise them again. Root could; confined
processes have given up that privilege (`linux.give_up`). `watch` limits the sum over several processes.
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
    """Limit this process to `size` bytes of memory beyond its present size. Linux only: others measure differently."""
    if sys.platform == "linux":
        import resource

        _lower(resource.RLIMIT_DATA, _data_size() + size)


def limit_written_files(size: int) -> None:
    """Let the operating system end this process when a file that it writes exceeds `size` bytes. POSIX only."""
    if sys.platform != "win32":
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        _lower(resource.RLIMIT_FSIZE, size)
        _lower(resource.RLIMIT_CORE, 0)


def limit_processor_time(seconds: float) -> None:
    """Limit the processor time of this process, and of each child. POSIX only.

    This ends a process that is not ended after `seconds` of wall time, as when its parent is gone.
    """
    if sys.platform != "win32":
        import resource

        _lower(resource.RLIMIT_CPU, processor_seconds(seconds))


def limiting(limits: Limits) -> Callable[[], None]:
    """Return a function for a new process on Linux, before exec, that applies `limits`.

    The time limit counts processor time, for the case that the parent is gone.
    """
    import resource  # noqa: F401 - a forked process must not import

    def limit() -> None:
        limit_memory(limits.memory)
        limit_written_files(limits.output)
        limit_processor_time(limits.seconds)

    return limit


def within_processor_time(command: Sequence[str], seconds: float) -> list[str]:
    """Return a command that runs `command` with a limit on the time at all processors together; POSIX only.

    A process that is ended after `seconds` of wall time cannot reach that limit.
    """
    return [_SHELL, "-c", _LIMITED, str(processor_seconds(seconds)), *command]


def processor_seconds(seconds: float) -> int:
    """Return the maximum processor time, at all processors, of a process that ends after `seconds`, with a margin."""
    return (math.ceil(seconds) + 1) * (os.cpu_count() or 1)


if sys.platform != "win32":

    def _lower(kind: int, size: int) -> None:
        import resource

        _, hard = resource.getrlimit(kind)
        allowed = size if hard == resource.RLIM_INFINITY else min(size, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (allowed, allowed))


def _data_size() -> int:
    """Return the private memory of this process in bytes, 0 if unknown."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return 0
