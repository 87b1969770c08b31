"""Watches the total memory and files of a run's processes: the system's own limits apply to single processes."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.interpreter.confinement.writable_folder import WritableFolder

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
        if self._folder.size() + _unnamed(processes) > self._files:
            return Excess.FILES
        return None

    def _processes(self) -> list[int]:
        if sys.platform == "linux":
            return [number for number in _numbers("/proc") if _group(number) == self._process]
        try:
            import psutil
        except ImportError:  # the extension for VS Code includes no compiled packages
            return [self._process]
        if sys.platform != "win32":
            return [number for number in psutil.pids() if _group(number) == self._process]
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(self._process)
            return [process.pid, *(child.pid for child in process.children(recursive=True))]
        return []


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
