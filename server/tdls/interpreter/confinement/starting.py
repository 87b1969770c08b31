"""Starts programs that are confined."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

from tdls.interpreter.confinement import seatbelt
from tdls.interpreter.confinement.confinement import Means, protection
from tdls.interpreter.confinement.ends import ending_with_thread
from tdls.interpreter.confinement.environment import reduced_environment
from tdls.interpreter.confinement.limits import limiting, within_processor_time

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.interpreter.confinement.confinement import Confinement
    from tdls.interpreter.model import Limits


def start_confined(
    command: Sequence[str], confinement: Confinement, limits: Limits | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Start `command` with a reduced environment, and what it starts in turn, so that it is confined.

    It leads a group of processes. The first of the folders that it may write to is its temporary folder; `limits` are
    those of each process, `options` those of `subprocess.Popen`. On Linux it stays in its group with all that it
    starts, and is killed when this process ends, however that happens. Raises OSError.
    """
    if protection().means is Means.SEATBELT:
        command = seatbelt.confined(command, confinement.folders)
    options = {"start_new_session": True, **options, "env": reduced_environment(confinement.folders[0])}
    if sys.platform != "linux":
        if limits is not None and sys.platform != "win32":
            command = within_processor_time(command, limits.seconds)
        return subprocess.Popen(command, **options)
    starter = _Starter(command, confinement, {**options, "preexec_fn": _preparing(limits)})
    starter.start()
    return starter.process()


def _preparing(limits: Limits | None) -> Callable[[], None]:
    """Return what a new process calls before it is a program."""
    steps = [limiting(limits)] if limits is not None else []
    end_with_thread = ending_with_thread()
    if end_with_thread is not None:
        steps.append(end_with_thread)
    if protection().filters_calls:
        from tdls.interpreter.confinement import call_filter

        steps.append(call_filter.staying_in_group())

    def prepare() -> None:
        for step in steps:
            step()

    return prepare


class _Starter(threading.Thread):
    """Confines itself, starts a program, which inherits that, and stays as long as that does, which ends with it.

    The thread that asks for it stays as it is.
    """

    def __init__(self, command: Sequence[str], confinement: Confinement, options: dict[str, Any]) -> None:
        super().__init__(name="tdls-starter", daemon=True)
        self._command = command
        self._confinement = confinement
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self._problem: BaseException | None = None
        self._is_started = threading.Event()

    def run(self) -> None:
        """Be the thread."""
        try:
            self._confinement.confine_thread()
            self._process = subprocess.Popen(self._command, **self._options)
        except BaseException as error:
            self._problem = error
        finally:
            self._is_started.set()
        if self._process is not None:
            _wait_without_asking(self._process.pid)

    def process(self) -> subprocess.Popen[bytes]:
        """Return what was started; if waiting for that is interrupted, it is ended. Raises what kept it from that."""
        try:
            self._is_started.wait()
        except BaseException:
            self._is_started.wait()
            if self._process is not None:
                self._process.kill()
                self._process.wait()
            raise
        if self._process is None:
            raise self._problem or OSError("nothing was started")
        return self._process


def _wait_without_asking(process: int) -> None:
    """Wait for the end of a process, and leave it to others to ask how it ended."""
    if sys.platform == "linux":
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
