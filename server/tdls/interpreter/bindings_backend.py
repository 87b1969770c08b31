"""The backend that runs scripts with MLIR's Python bindings, in a worker process that stays for the next run."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import tdls
from tdls.interpreter import isolation
from tdls.interpreter.backends import BackendError
from tdls.interpreter.endings import still_running
from tdls.interpreter.job import INLINE, Job, Workplace
from tdls.interpreter.messages import receive, send
from tdls.interpreter.model import Emit, RunDiagnostic, RunResult, Severity, Status
from tdls.interpreter.observation.observed_run import run_telling

if TYPE_CHECKING:
    from tdls.interpreter.model import RunRequest
    from tdls.interpreter.observation.journal import Journal

_NEUTRAL_FOLDER = Path(tdls.__file__).parent.parent
"""Python looks for modules in the folder it is started in, which must not be that of somebody's scripts."""
_START_SECONDS = 60.0
_GRACE_SECONDS = 5.0
"""How much later than the worker tdls itself ends a run; without `isolation` only tdls does."""


class BindingsBackend:
    """Runs scripts with the bindings in a Python package."""

    def __init__(self, package: str) -> None:
        """Nothing is started before the first run."""
        self.name = package
        self._worker: _Worker | None = None
        self._cancelled = False

    def run(self, request: RunRequest) -> RunResult:
        """Carry out `request`. Raises BackendError if the bindings cannot be imported."""
        self._cancelled = False
        return run_telling(request, self._carry_out)

    def _carry_out(self, request: RunRequest, journal: Journal | None) -> RunResult:
        """Run a script once; what it tells of its handles goes to `journal`."""
        started = time.perf_counter()
        with Workplace() as workplace:
            job = Job.of(request)
            workplace.call(INLINE, job.root.name)
            worker, answer = self._ask(_message(request, job, workplace, journal), _patience(request))
            if answer is None or not isolation.is_available():
                self.close()
            if answer is None:
                answer = self._no_answer(worker, request)
            found = workplace.named(_diagnostic(stored) for stored in answer["diagnostics"])
            if journal is not None:
                journal.files = workplace.names()
            came_from = tuple(workplace.placed(origin) for origin in answer.get("origins", ()))
        return RunResult(
            status=Status(answer["status"]),
            backend=self.name,
            mlir=worker.mlir,
            texts={Emit(name): text for name, text in answer["texts"].items()},
            diagnostics=found,
            printed=answer["printed"],
            console=answer["console"],
            origins=came_from,
            detail=answer["detail"],
            seconds=time.perf_counter() - started,
        )

    def cancel(self) -> None:
        """End the worker with what it is at."""
        self._cancelled = True
        self.close()

    def close(self) -> None:
        """End the worker."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()

    def _ask(self, message: dict[str, Any], seconds: float) -> tuple[_Worker, dict[str, Any] | None]:
        """Return the worker that was asked, and its answer; a worker that somebody killed before is no answer."""
        is_first = self._worker is None
        worker = self._running_worker()
        answer = worker.ask(message, seconds)
        if answer is not None or is_first or worker.timed_out or self._cancelled or not isolation.is_available():
            return worker, answer
        self.close()
        worker = self._running_worker()
        return worker, worker.ask(message, seconds)

    def _running_worker(self) -> _Worker:
        if self._worker is None or not self._worker.is_alive():
            self.close()
            self._worker = _Worker(self.name)
        return self._worker

    def _no_answer(self, worker: _Worker, request: RunRequest) -> dict[str, Any]:
        status, detail = Status.CRASH, "the worker ended"
        if self._cancelled:
            status, detail = Status.CANCELLED, "cancelled"
        elif worker.timed_out:
            status, detail = Status.TIMEOUT, still_running(request.limits.seconds)
        return {
            "status": status.value,
            "detail": detail,
            "texts": {},
            "diagnostics": [],
            "printed": "",
            "console": "",
        }


class _Worker:
    """One worker process; `mlir` is the version that it runs."""

    def __init__(self, package: str) -> None:
        """Start it. Raises BackendError if it does not say hello."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tdls.interpreter.worker", package],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=_NEUTRAL_FOLDER,
            start_new_session=True,
        )
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._listen, name="tdls-worker", daemon=True).start()
        self.timed_out = False
        hello = self._next(_START_SECONDS) or {"error": "the worker did not start"}
        if "error" in hello:
            self.end()
            raise BackendError(f"MLIR's bindings in {package} cannot be used: {hello['error']}")
        self.mlir: str = hello["mlir"]

    def is_alive(self) -> bool:
        """Tell whether it can be asked."""
        return self._process.poll() is None

    def ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any] | None:
        """Return the answer to `message`; None if the worker dies, or says nothing for `seconds`."""
        with contextlib.suppress(OSError, ValueError):
            send(_open(self._process.stdin).fileno(), message)
        return self._next(seconds)

    def end(self) -> None:
        """Kill it and all that it started."""
        if self._process.poll() is None:
            if sys.platform == "win32":
                self._process.kill()
            else:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        with contextlib.suppress(OSError):
            _open(self._process.stdin).close()

    def _next(self, seconds: float) -> dict[str, Any] | None:
        try:
            return self._answers.get(timeout=seconds)
        except queue.Empty:
            self.timed_out = True
            return None

    def _listen(self) -> None:
        stream = _open(self._process.stdout)
        answer: dict[str, Any] | None = {}
        while answer is not None:
            try:
                answer = receive(stream.fileno())
            except (OSError, ValueError):
                answer = None
            self._answers.put(answer)
        stream.close()


def _open(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("the worker was started without pipes")
    return stream


def _patience(request: RunRequest) -> float:
    return request.limits.seconds + (_GRACE_SECONDS if isolation.is_available() else 0.0)


def _message(request: RunRequest, job: Job, workplace: Workplace, journal: Journal | None) -> dict[str, Any]:
    return {
        "text": job.root.text.encode("utf-8", "replace").decode("utf-8"),
        "libraries": [workplace.put(library) for library in job.libraries],
        "entry_point": request.entry_point,
        "options": [list(option) for option in request.options],
        "emits": sorted(emit.value for emit in request.emits),
        "journal": [journal.marks, journal.moments] if journal is not None else None,
        "seconds": request.limits.seconds,
        "memory": request.limits.memory,
        "output": request.limits.output,
    }


def _diagnostic(stored: dict[str, Any]) -> RunDiagnostic:
    return RunDiagnostic(
        severity=Severity(stored["severity"]),
        message=stored["message"],
        file=stored["file"],
        line=stored["line"],
        column=stored["column"],
        notes=tuple(_diagnostic(note) for note in stored["notes"]),
    )
