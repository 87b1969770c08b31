"""Ends processes with their parents, and the processes that they leave behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


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


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill `process`, which leads a process group, and all its descendants; nothing once it has been waited for.

    On POSIX this kills the group: its number is not reused until `process` is waited for.
    """
    if process.returncode is not None:
        return
    if sys.platform == "win32":
        for started in _started_by(process.pid):
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


def _started_by(process: int) -> list[int]:
    try:
        import psutil
    except ImportError:  # the extension for VS Code includes no compiled packages
        return []
    with contextlib.suppress(psutil.Error):
        return [child.pid for child in psutil.Process(process).children(recursive=True)]
    return []
