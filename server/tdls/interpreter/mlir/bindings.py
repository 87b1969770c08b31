"""Calls MLIR's Python bindings, in a worker process that stays warm: an ``mlir-opt`` that need not start."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdls.catalogue.model import HandleEffect, PayloadEffect
from tdls.interpreter.confinement.reports import ReportError, WritableFolder, decoded, expect
from tdls.interpreter.errors import BackendError
from tdls.interpreter.mlir.mlir_opt import Call, MlirOpt, Output
from tdls.interpreter.mlir.worker import isolation
from tdls.interpreter.mlir.worker.packages import PACKAGES
from tdls.interpreter.mlir.worker.worker_process import WorkerProcess
from tdls.interpreter.output.exit_codes import still_running, too_much
from tdls.interpreter.runs.model import RunDiagnostic, RunLevel, Status, TextFile, TextsRead
from tdls.interpreter.runs.pipeline import preload_pass
from tdls.interpreter.runs.source_map import INLINE, InputFiles, SourceMap
from tdls.structs import Struct, field, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.interpreter.runs.model import Limits

_WORKER = "tdls.interpreter.mlir.worker.worker"
_GRACE_SECONDS = 5.0
"""Seconds that the parent waits beyond the worker's own limit. Without `isolation` only the parent enforces the limit.
"""
_ENDED = (Status.SUCCESS, Status.FAILURE, Status.INVALID)
"""Statuses of calls that came to their end, with all of their diagnostics."""
_MOST_KEPT = 4
"""Maximum number of payloads that a worker keeps parsed."""
_LARGE_TEXT = 2_000
"""Minimum length of a payload, in code points, that is worth being parsed once for many calls."""


class StatedEffects(Struct, frozen=True):
    """Effects of an operation on each operand, on each result, and on the payload."""

    operands: tuple[HandleEffect, ...] = ()
    results: tuple[HandleEffect, ...] = ()
    payload: PayloadEffect = PayloadEffect.UNKNOWN


class _Answer(Struct, frozen=True):
    """A worker's answer to a job; `error` is the reason if the worker cannot carry it out."""

    error: str = ""
    status: Status = Status.CRASH
    detail: str = ""
    module: str = ""
    located: str = ""
    diagnostics: tuple[RunDiagnostic, ...] = ()
    printed: str = ""
    console: str = ""
    read: tuple[tuple[RunDiagnostic, ...], ...] = ()
    """The diagnostics of texts that were only read, by text."""
    effects: dict[str, StatedEffects] = field(default_factory=dict)
    """The effects of operations, by name."""


class Bindings(MlirOpt):
    """The bindings in a Python package."""

    shows_operations = True

    def __init__(self, package: str | None, python: str | None = None, setup: Iterable[tuple[str, str]] = ()) -> None:
        """`python` is the path of a Python interpreter, None for this one. Without `package`, the first of `PACKAGES`
        that this interpreter has is used. `setup` has the steps for `run_setup`.
        """
        self._package = package
        self._packages = (package,) if package is not None else PACKAGES
        self._python = python
        self._setup = tuple(setup)
        self.name = self._shown(package or "bindings")
        self._version = ""
        self._lock = threading.Lock()
        self._worker: WorkerProcess | None = None
        self._folder: WritableFolder | None = None
        self._cancelled = False
        self._is_closed = False
        self._read_payloads: dict[str, str] = {}
        """The last payloads that were read successfully, with keys: a worker may parse and keep them itself."""
        self._numbers = count(1)

    @property
    def version(self) -> str:
        """The version of the bindings, "" before the first call."""
        return self._version

    def call(self, call: Call) -> Output:
        """Carry out `call` in a process of its own, where the system can fork."""
        with InputFiles() as input_files:
            source_map = input_files.source_map
            libraries = [input_files.put(library) for library in call.libraries]
            job: dict[str, Any] = {
                "preload": preload_pass(libraries) if libraries else None,
                "passes": call.passes,
                "is_located": call.is_located,
                "is_also_located": call.is_also_located,
                "is_printed": call.is_printed,
                "key": "",
            }
            if isinstance(call.root, Path):
                job["file"] = str(call.root)
            else:
                source_map.add(INLINE, call.root)
                text = call.root.text
                job["text"] = text = text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
                if isinstance(call.root, TextFile) and len(text) >= _LARGE_TEXT:
                    job["key"] = self._read_payloads.get(text, "")
            try:
                _, answer = self._asked(job, call.limits)
            except FileNotFoundError:  # after `close`
                return Output(Status.CANCELLED, SourceMap(), "cancelled")
            except ReportError as error:
                self._end_worker()  # its answers are not plausible
                return Output(Status.FAILURE, SourceMap(), diagnostics=(RunDiagnostic(RunLevel.ERROR, str(error)),))
            if isinstance(call.root, TextFile) and answer.status in (Status.SUCCESS, Status.FAILURE):
                payloads, text = self._read_payloads, job["text"]
                payloads[text] = payloads.pop(text, "") or str(next(self._numbers))
                while len(payloads) > _MOST_KEPT:
                    del payloads[next(iter(payloads))]
            return Output(
                status=answer.status,
                detail=answer.detail,
                module=answer.module,
                located=answer.located,
                diagnostics=answer.diagnostics,
                printed=answer.printed,
                console=answer.console,
                source_map=source_map,
            )

    def read(self, texts: Sequence[str], limits: Limits) -> TextsRead:
        """Parse and verify `texts` in one process."""
        try:
            self._ready_worker()
            started = time.perf_counter()
            job = {"texts": [text.encode("utf-8", "replace").decode("utf-8") for text in texts]}
            worker, answer = self._asked(job, limits)
        except FileNotFoundError:  # after `close`
            return TextsRead(Status.CANCELLED, "")
        except ReportError:
            self._end_worker()
            return TextsRead(Status.FAILURE, "")
        mlir = self._version if worker is not None else ""
        return TextsRead(answer.status, mlir, answer.read, time.perf_counter() - started)

    def effects(self, operations: dict[str, list[Any]], limits: Limits) -> dict[str, StatedEffects] | None:
        """Return the effects that MLIR states of some of `operations`, by name, or None if it crashes at one of them.

        `operations` are those of `worker.effects.effects_by_name`. Raises BackendError.
        """
        try:
            _, answer = self._asked({"operations": operations}, limits)
        except ReportError as error:
            raise BackendError(str(error)) from error
        return answer.effects if answer.status is Status.SUCCESS else None

    def begin(self) -> None:
        """Reset a former cancellation."""
        self._cancelled = False
        self._is_closed = False

    def start(self) -> None:
        """Start the worker. Raises BackendError."""
        self._ready_worker()

    def cancel(self) -> None:
        """End the worker and its current job."""
        self._cancelled = True
        self._end_worker()

    def close(self) -> None:
        """End the worker and delete all files; a call that another thread waits for is cancelled."""
        with self._lock:
            self._is_closed = True
        self._end_worker()
        with self._lock:
            folder, self._folder = self._folder, None
        if folder is not None:
            folder.close()

    @property
    def _is_given_up(self) -> bool:
        return self._cancelled or self._is_closed

    def _asked(self, job: dict[str, Any], limits: Limits) -> tuple[WorkerProcess | None, _Answer]:
        """Return the worker and its answer to a job, or how it ended without one. Raises ReportError."""
        seconds, place = limits.left, self._place()
        with WritableFolder(place.path) as folder:
            log = f"{Path(folder.path).name}.log"
            job = {
                "folder": folder.path,
                "log": place.file(log),
                "seconds": seconds,
                "limit": limits.seconds,
                "memory": limits.memory,
                "output": limits.output,
                **job,
            }
            worker, answer = self._ask(job, limits, seconds + (_GRACE_SECONDS if isolation.is_available() else 0.0))
            if answer is None or not isolation.is_available():
                self._end_worker()
            if answer is None:
                answer = self._no_answer(worker, limits)
            if answer.status not in _ENDED:
                lines = (place.read(log, limits.output) or b"").split(b"\n")[:-1]  # written before it was ended
                said = decoded(b"[%s]" % b",".join(lines), list[RunDiagnostic], "the log of the run")
                answer = replace(answer, diagnostics=tuple(said))
            with contextlib.suppress(OSError):
                os.unlink(place.file(log))  # noqa: PTH108
        expect(not answer.error, "the report of the run", answer.error)
        for diagnostics in (answer.diagnostics, *answer.read):
            _check_positions(diagnostics)
        return worker, answer

    def _place(self) -> WritableFolder:
        """Return the folder that the worker may write to. Raises FileNotFoundError once the bindings are closed."""
        with self._lock:
            if self._is_closed:
                raise FileNotFoundError
            if self._folder is None:
                self._folder = WritableFolder()
            return self._folder

    def _end_worker(self) -> None:
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()

    def _ask(self, job: dict[str, Any], limits: Limits, seconds: float) -> tuple[WorkerProcess | None, _Answer | None]:
        """Return the worker and its answer. The job is repeated once if a worker from an earlier call has died
        meanwhile.

        The worker is None if the call was cancelled before one was ready.
        """

        def ask(worker: WorkerProcess | None) -> _Answer | None:
            if worker is None:
                return None
            message = _with_kept_payload(worker, job) if job.get("key") else job
            return worker.ask(message, _Answer, seconds, limits.memory, limits.files)

        worker = self._ready_worker()
        is_fresh = worker is not None and not worker.was_asked
        answer = ask(worker)
        if answer is not None or worker is None or is_fresh or worker.is_given_up or self._is_given_up:
            return worker, answer
        self._end_worker()
        worker = self._ready_worker()
        return worker, ask(worker)

    def _ready_worker(self) -> WorkerProcess | None:
        """Return a worker that is ready for a job; None once the call is cancelled."""
        with self._lock:
            worker = self._worker
        if worker is not None and worker.is_alive():
            return worker
        self._end_worker()
        place = self._place()
        with self._lock:
            if self._is_given_up:
                return None
            configuration = {"packages": self._packages, "setup": self._setup}
            worker = self._worker = WorkerProcess(self._python or sys.executable, _WORKER, configuration, place)
        problem = worker.greet()
        if problem and not self._is_given_up:
            self._end_worker()
            raise BackendError(f"MLIR's bindings cannot be used ({self.name}): {problem}")
        self.name = self._shown(worker.greeting.package or self.name)
        self._version = worker.greeting.mlir
        return None if self._is_given_up else worker

    def _shown(self, package: str) -> str:
        return package if self._python is None else f"{package} of {self._python}"

    def _no_answer(self, worker: WorkerProcess | None, limits: Limits) -> _Answer:
        if self._is_given_up:
            return _Answer(status=Status.CANCELLED, detail="cancelled")
        if worker is not None and worker.excess is not None:
            status, detail = too_much(worker.excess, limits)
            return _Answer(status=status, detail=detail)
        if worker is not None and worker.timed_out:
            return _Answer(status=Status.TIMEOUT, detail=still_running(limits.seconds))
        return _Answer(detail="the worker ended")


def _with_kept_payload(worker: WorkerProcess, job: dict[str, Any]) -> dict[str, Any]:
    """Return a job whose payload the worker has parsed, or parses now and keeps."""
    key = job["key"]
    if key in worker.kept:
        worker.kept.remove(key)
        worker.kept.append(key)
        return {name: value for name, value in job.items() if name != "text"}
    worker.kept.append(key)
    dropped = worker.kept[:-_MOST_KEPT]
    del worker.kept[:-_MOST_KEPT]
    return {**job, "keeps": True, "drops": dropped}


def _check_positions(diagnostics: Iterable[RunDiagnostic]) -> None:
    """Raise ReportError for a diagnostic with an impossible position."""
    for diagnostic in diagnostics:
        expect(diagnostic.line >= 0 and diagnostic.column >= 0, "a diagnostic", "there is no such line")
        _check_positions(diagnostic.notes)
