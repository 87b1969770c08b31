"""Limits that the operating system keeps for a process; where it offers none, nothing happens."""

from __future__ import annotations

import contextlib
import signal
import sys
from pathlib import Path


def limit_memory(size: int) -> None:
    """Let this process take `size` more bytes of memory than it has. Linux only: others count other things."""
    if sys.platform == "linux":
        import resource

        _lower(resource.RLIMIT_DATA, _data_size() + size)


def limit_other_process(process: int, memory: int, output: int) -> None:
    """Let another process of this user have `memory` bytes, and write files of `output` bytes. Linux only."""
    if sys.platform == "linux":
        import resource

        for kind, size in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_FSIZE, output), (resource.RLIMIT_CORE, 0)):
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
