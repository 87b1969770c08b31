"""Limits that the operating system keeps for a process; where it offers none, nothing happens."""

from __future__ import annotations

import contextlib
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.interpreter.confinement.ends import processor_seconds

if TYPE_CHECKING:
    from tdls.interpreter.model import Limits


def limit_memory(size: int) -> None:
    """Let this process take `size` more bytes of memory than it has. Linux only: others count other things."""
    if sys.platform == "linux":
        import resource

        _lower(resource.RLIMIT_DATA, _data_size() + size)


def limit_other_process(process: int, limits: Limits) -> None:
    """Let another process of this user, and what it starts, each have no more than `limits`. Linux only.

    Their time is that of processors, for when nobody is there any more to end them.
    """
    if sys.platform == "linux":
        import resource

        kinds = (resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_CPU)
        sizes = (limits.memory, limits.output, 0, processor_seconds(limits.seconds))
        for kind, size in zip(kinds, sizes, strict=True):
            with contextlib.suppress(OSError, ValueError):
                resource.prlimit(process, kind, (size, size))


def limit_written_files(size: int) -> None:
    """Let the operating system end this process when it writes a file of more than `size` bytes. POSIX only."""
    if sys.platform != "win32":
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        _lower(resource.RLIMIT_FSIZE, size)
        _lower(resource.RLIMIT_CORE, 0)


if sys.platform != "win32":

    def _lower(kind: int, size: int) -> None:
        import resource

        _, hard = resource.getrlimit(kind)
        allowed = size if hard == resource.RLIM_INFINITY else min(size, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (allowed, hard))


def _data_size() -> int:
    """Return the private memory of this process in bytes, 0 if that is not known."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return 0
