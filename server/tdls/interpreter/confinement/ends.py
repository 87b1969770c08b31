"""Processes that end when the one that started them does, and that leave nothing behind when they end."""

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
    """Return what a new process calls, before it is a program, to be killed when the thread ends that started it.

    None where the system has no such thing. Linux only; the thread has to stay for as long as the process.
    """
    if sys.platform != "linux":
        return None
    try:
        from tdls.interpreter.confinement.linux import end_with_parent_thread
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
            from tdls.interpreter.confinement import linux

            linux.adopt_orphans()


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill `process`, which leads a group, and all that it started; nothing once its end was noticed.

    On POSIX that is its group: its number is not another one's until somebody notices the end of `process`.
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
    """Wait for the end of `process` for some seconds, kill what it has left behind, and tell whether the end came."""
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
    except ImportError:  # the extension for VS Code brings nothing that is compiled
        return []
    with contextlib.suppress(psutil.Error):
        return [child.pid for child in psutil.Process(process).children(recursive=True)]
    return []
