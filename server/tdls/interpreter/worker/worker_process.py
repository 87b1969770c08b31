"""The worker process as tdls sees it: started, asked, ended."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from tdls.interpreter.confinement.confinement import Confinement
from tdls.interpreter.confinement.starting import start_confined
from tdls.interpreter.jobs.backend import BackendError
from tdls.interpreter.output.endings import code_in_words
from tdls.interpreter.worker.messages import receive, send

if TYPE_CHECKING:
    from collections.abc import Mapping

_STARTER = Path(__file__).with_name("start_worker.py")
_NEUTRAL_FOLDER = _STARTER.parent
"""Some Pythons look for modules in the folder they are started in, which must not be that of somebody's scripts."""
_START_SECONDS = 60.0
_FAREWELL_SECONDS = 1.0
"""Between the end of what it says and its own end."""
_LAST_BYTES = 20_000


class WorkerProcess:
    """One worker process. Its methods but `end` are for one thread."""

    def __init__(self, python: str, worker: str, configuration: Mapping[str, Any], folder: str) -> None:
        """Start it with a Python. Raises BackendError.

        `worker` is the module of tdls whose `main` is given `configuration`, as JSON; `folder` is all that it may write
        to.
        """
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        try:
            self._process = start_confined(
                [python, str(_STARTER), worker, json.dumps(configuration)],
                Confinement((folder,)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                cwd=_NEUTRAL_FOLDER,
                start_new_session=True,
            )
        except OSError as error:
            self._errors.close()
            raise BackendError(f"{python} cannot be run: {error.strerror or error}") from error
        self._closing = threading.Lock()
        """Held by who closes files, or reads one that may be closed: two threads at once see them half closed."""
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._listen, name="tdls-worker", daemon=True).start()
        self.timed_out = False
        self.was_asked = False
        self.greeting: dict[str, Any] = {}

    def greet(self) -> str:
        """Wait until it is ready, with what it says of itself in `greeting`; return why it is not, or ""."""
        hello = self._next(_START_SECONDS)
        if hello is None:
            return self._failure()
        self.greeting = hello
        return str(hello.get("error", ""))

    def is_alive(self) -> bool:
        """Tell whether it can be asked."""
        return self._process.poll() is None

    def ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any] | None:
        """Return the answer to `message`; None if the worker dies, or says nothing for `seconds`."""
        self.was_asked = True
        with contextlib.suppress(OSError, ValueError):
            send(_open(self._process.stdin).fileno(), message)
        return self._next(seconds)

    def end(self) -> None:
        """Kill it and all that it started; for any thread, and several at once."""
        if self._process.poll() is None:
            if sys.platform == "win32":
                self._process.kill()
            else:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        with self._closing:
            with contextlib.suppress(OSError, ValueError):
                _open(self._process.stdin).close()
            self._errors.close()

    def _next(self, seconds: float) -> dict[str, Any] | None:
        try:
            return self._answers.get(timeout=seconds)
        except queue.Empty:
            self.timed_out = True
            return None

    def _failure(self) -> str:
        """Return why it did not say hello."""
        if self.timed_out:
            return f"it was not ready after {_START_SECONDS:g} s"
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_FAREWELL_SECONDS)
        words = self._last_words()
        self.end()
        ending = code_in_words(self._process.returncode)
        return f"it ended while it was starting ({ending}){': ' if words else ''}{words}"

    def _last_words(self) -> str:
        """Return the last line that it wrote to standard error."""
        with self._closing, contextlib.suppress(ValueError):
            size = self._errors.seek(0, os.SEEK_END)
            self._errors.seek(max(0, size - _LAST_BYTES))
            lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
            return lines[-1].strip() if lines else ""
        return ""

    def _listen(self) -> None:
        stream = _open(self._process.stdout)
        answer: dict[str, Any] | None = {}
        while answer is not None:
            try:
                answer = receive(stream.fileno())
            except (OSError, ValueError, MemoryError, OverflowError):
                answer = None
            self._answers.put(answer)
        stream.close()


def _open(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("the worker was started without pipes")
    return stream
