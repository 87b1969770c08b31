"""The client side of a worker process: starts it, sends jobs, and ends it."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import tempfile
import threading
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, TypeVar

from tdls.interpreter.confinement.confinement import Confinement, start_confined
from tdls.interpreter.confinement.reports import ReportError, decoded
from tdls.interpreter.confinement.watch import LOOK_SECONDS, Watch, has_ended, kill_group
from tdls.interpreter.errors import BackendError
from tdls.interpreter.mlir.worker.messages import parsed, receive, send
from tdls.interpreter.output.exit_codes import code_in_words
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.interpreter.confinement.reports import WritableFolder
    from tdls.interpreter.confinement.watch import Excess

_T = TypeVar("_T")
_STARTER = Path(__file__).with_name("start_worker.py")
_NEUTRAL_FOLDER = _STARTER.parent
"""Some Pythons search modules in their working folder, which must not be that of a user's scripts."""
_START_SECONDS = 60.0
_FAREWELL_SECONDS = 1.0
"""Seconds between the end of its output and its exit."""
_LAST_BYTES = 20_000


class WorkerGreeting(Struct, frozen=True):
    """A worker's greeting when it is ready; `error` is the reason if it is not."""

    error: str = ""
    mlir: str = ""
    package: str = ""


class WorkerProcess:
    """One worker process. All methods but `end` are for a single thread."""

    def __init__(self, python: str, worker: str, configuration: Mapping[str, Any], folder: WritableFolder) -> None:
        """Start the worker with a Python interpreter. Raises BackendError.

        `worker` is the module of tdls whose `main` gets `configuration` as JSON; `folder` is the only place that it may
        write to.
        """
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        try:
            self._process = start_confined(
                [python, str(_STARTER), worker, json.dumps(configuration)],
                Confinement((folder.path,)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                cwd=_NEUTRAL_FOLDER,
            )
        except OSError as error:
            self._errors.close()
            raise BackendError(f"{python} cannot be run: {error.strerror or error}") from error
        self._folder = folder
        self._closing = threading.Lock()
        """Held while closing files, and while reading one that may be closed: two threads would see them half closed.
        """
        self._answers: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=self._listen, name="tdls-worker", daemon=True).start()
        self.timed_out = False
        self.excess: Excess | None = None
        """The limit that it exceeded, if it was ended for that."""
        self.was_asked = False
        self.kept: list[str] = []
        """The keys of what it was told to keep, the last used one last."""
        self.greeting = WorkerGreeting()

    def greet(self) -> str:
        """Wait until the worker is ready and store its `greeting`; return the reason if it is not ready, or ""."""
        hello = self._next(_START_SECONDS)
        if hello is None:
            return self._failure()
        try:
            self.greeting = decoded(hello, WorkerGreeting, "its greeting", parsed)
        except ReportError as error:
            return str(error)
        return self.greeting.error

    @property
    def is_given_up(self) -> bool:
        """True if a job exceeded a limit or its time."""
        return self.timed_out or self.excess is not None

    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return not has_ended(self._process)

    def ask(self, message: dict[str, Any], answer: type[_T], seconds: float, memory: int, files: int) -> _T | None:
        """Return the `answer` to a message, or None if the worker dies, or does not answer within `seconds`.

        The worker is ended if its processes together take `memory` bytes more than before, or its folder has more than
        `files` bytes. Raises ReportError for an answer of another form.
        """
        self.was_asked = True
        watch = Watch(self._process.pid, self._folder, memory, files)
        with contextlib.suppress(OSError, ValueError):
            send(_open(self._process.stdin).fileno(), message)
        body = self._next(seconds, watch)
        return None if body is None else decoded(body, answer, "the answer of the worker", parsed)

    def end(self) -> None:
        """Kill the worker and all processes that it started; for any thread, also several at once."""
        kill_group(self._process)
        self._process.wait()
        with self._closing:
            with contextlib.suppress(OSError, ValueError):
                _open(self._process.stdin).close()
            self._errors.close()

    def _next(self, seconds: float, watch: Watch | None = None) -> bytes | None:
        deadline = monotonic() + seconds
        while True:
            left = max(0.0, deadline - monotonic())
            try:
                return self._answers.get(timeout=min(left, LOOK_SECONDS))
            except queue.Empty:
                self.timed_out = left <= LOOK_SECONDS
            self.excess = watch.excess() if watch is not None else None
            if self.excess is not None:
                kill_group(self._process)
            if self.excess is not None or self.timed_out:
                return None

    def _failure(self) -> str:
        """Return the reason for a missing greeting."""
        if self.timed_out:
            return f"it was not ready after {_START_SECONDS:g} s"
        has_ended(self._process, _FAREWELL_SECONDS)
        words = self._last_words()
        self.end()
        ending = code_in_words(self._process.returncode)
        return f"it ended while it was starting ({ending}){': ' if words else ''}{words}"

    def _last_words(self) -> str:
        """Return the last line of standard error."""
        with self._closing, contextlib.suppress(ValueError):
            size = self._errors.seek(0, os.SEEK_END)
            self._errors.seek(max(0, size - _LAST_BYTES))
            lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
            return lines[-1].strip() if lines else ""
        return ""

    def _listen(self) -> None:
        stream = _open(self._process.stdout)
        body: bytes | None = b""
        while body is not None:
            try:
                body = receive(stream.fileno())
            except (OSError, ValueError, MemoryError, OverflowError):
                body = None
            self._answers.put(body)
        stream.close()


def _open(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("the worker was started without pipes")
    return stream
