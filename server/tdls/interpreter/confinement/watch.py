"""Limits the time, memory and files of processes, watches those of a run together, and ends processes.

The limits of the operating system apply to single processes, and have no effect where it has none. They are hard
limits, set before the process runs foreign code, so it cannot raise them again. Root could; confined processes have no
capabilities. `Watch` measures the sum over the processes of a run.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import stat
import subprocess
import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.interpreter.confinement.reports import WritableFolder
    from tdls.interpreter.runs.model import Limits

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

        _lower(resource.RLIMIT_CPU, _processor_seconds(seconds))


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
    return [_SHELL, "-c", _LIMITED, str(_processor_seconds(seconds)), *command]


def _processor_seconds(seconds: float) -> int:
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


LOOK_SECONDS: Final = 0.2
"""Interval between two measurements, in seconds."""
_BLOCK = 512
_KIBIBYTE = 1024


class Excess(Enum):
    """The limit that a run exceeded."""

    MEMORY = "memory"
    FILES = "files"


class Watch:
    """Measures the process group of a process, and the folder that the group may write to."""

    def __init__(self, process: int, folder: WritableFolder, memory: int, files: int) -> None:
        """The group may take `memory` bytes more than at present, and `files` bytes of its folder."""
        self._process = process
        self._folder = folder
        self._memory = memory + sum(map(_resident, self._processes()))
        self._files = files

    def excess(self) -> Excess | None:
        """Return the limit that is exceeded now, if any."""
        processes = self._processes()
        if sum(map(_resident, processes)) > self._memory and sum(map(_private, processes)) > self._memory:
            return Excess.MEMORY
        return Excess.FILES if self._folder.size() + _unnamed(processes) > self._files else None

    def _processes(self) -> list[int]:
        if sys.platform == "linux":
            return [number for number in _numbers("/proc") if _group(number) == self._process]
        if sys.platform == "win32":
            return [self._process, *_descendants(self._process)]
        try:
            import psutil
        except ImportError:  # the extension for VS Code includes no compiled packages
            return [self._process]
        return [number for number in psutil.pids() if _group(number) == self._process]


def _numbers(folder: str) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(entry.name) for entry in Path(folder).iterdir() if entry.name.isdecimal()]
    return []


def _group(process: int) -> int:
    with contextlib.suppress(OSError):
        if sys.platform != "win32":
            return os.getpgid(process)
    return 0


def _resident(process: int) -> int:
    """Return the resident memory of a process in bytes, including shared memory; 0 for an ended process."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, ValueError, IndexError):
            resident = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
            return int(resident) * os.sysconf("SC_PAGE_SIZE")
        return 0
    try:
        import psutil
    except ImportError:  # the extension for VS Code includes no compiled packages
        return 0
    with contextlib.suppress(psutil.Error):
        size: int = psutil.Process(process).memory_info().rss
        return size
    return 0


def _private(process: int) -> int:
    """Return the anonymous memory of a process in bytes, with its share of memory that several processes have."""
    if sys.platform != "linux":
        return _resident(process)
    with contextlib.suppress(OSError, ValueError, IndexError, KeyError):
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
        sizes = dict(line.split(":", 1) for line in lines[1:])
        return sum(int(sizes[name].split()[0]) * _KIBIBYTE for name in ("Pss_Anon", "Pss_Shmem"))
    return _resident(process)  # the process has ended or cannot be inspected, or the kernel is older


def _unnamed(processes: Iterable[int]) -> int:
    """Return the total size in bytes of deleted files that processes still have open. Linux only."""
    sizes: dict[tuple[int, int], int] = {}
    if sys.platform == "linux":
        for process in processes:
            for number in _numbers(f"/proc/{process}/fd"):
                with contextlib.suppress(OSError):
                    status = Path(f"/proc/{process}/fd/{number}").stat()
                    if stat.S_ISREG(status.st_mode) and not status.st_nlink:
                        sizes[status.st_dev, status.st_ino] = status.st_blocks * _BLOCK
    return sum(sizes.values())


def ending_with_thread() -> Callable[[], None] | None:
    """Return a function for a new process, before exec, so that it is killed when the thread that started it ends.

    None where the system does not support this. Linux only; the thread has to stay for as long as the process.
    """
    if sys.platform != "linux":
        return None
    try:
        from tdls.interpreter.confinement.linux import end_with_parent_thread
    except ImportError:  # some Pythons have no ctypes
        return None
    parent = os.getpid()

    def end_with_parent() -> None:
        end_with_parent_thread()
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)

    return end_with_parent


def adopt_orphans() -> None:
    """Adopt processes whose parents ended, so that this process notices their ends, where supported.

    Otherwise the system's first process adopts them. Linux only.
    """
    if sys.platform == "linux":
        with contextlib.suppress(ImportError, OSError):  # ImportError: some Pythons have no ctypes
            from tdls.interpreter.confinement import linux

            linux.adopt_orphans()


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill `process`, which leads a process group, and all its descendants; nothing once it has been waited for.

    On POSIX this kills the group: its number is not reused until `process` is waited for.
    """
    if process.returncode is not None:
        return
    if sys.platform == "win32":
        for started in _descendants(process.pid):
            with contextlib.suppress(OSError):
                os.kill(started, signal.SIGTERM)
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def has_ended(process: subprocess.Popen[bytes], seconds: float = 0.0) -> bool:
    """Wait up to `seconds` for the end of `process`, kill the rest of its group, and tell whether it has ended."""
    if process.returncode is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        if process.returncode is not None and sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
    return process.returncode is not None


def _descendants(process: int) -> list[int]:
    try:
        import psutil
    except ImportError:  # the extension for VS Code includes no compiled packages
        return []
    with contextlib.suppress(psutil.Error):
        return [child.pid for child in psutil.Process(process).children(recursive=True)]
    return []
