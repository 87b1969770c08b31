"""The backend that runs scripts with MLIR's Python bindings, in a worker process that is reused for later runs."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tdls.interpreter.confinement.reports import ReportError, WritableFolder, expect
from tdls.interpreter.errors import BackendError
from tdls.interpreter.input_files import InputFiles
from tdls.interpreter.instrumentation.observed_run import executing_when_ended, run_observed
from tdls.interpreter.instrumentation.origins import LazySequence, origins
from tdls.interpreter.instrumentation.tool_answers import RawRun
from tdls.interpreter.instrumentation.tool_run import run_with_tool
from tdls.interpreter.model import Emit, Mode, RunDiagnostic, RunLevel, RunRequest, RunResult, Status, TextsRead
from tdls.interpreter.output.exit_codes import still_running, too_much
from tdls.interpreter.recording.backend import Backend
from tdls.interpreter.recording.checkpoints import MEMORY
from tdls.interpreter.recording.records import unrecorded
from tdls.interpreter.recording.with_bindings import record_with_bindings
from tdls.interpreter.recording.with_tool import record_with_tool
from tdls.interpreter.script import Script
from tdls.interpreter.source_map import INLINE
from tdls.interpreter.worker import isolation
from tdls.interpreter.worker.packages import PACKAGES
from tdls.interpreter.worker.worker_process import WorkerProcess
from tdls.structs import Struct, field, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tdls.interpreter.instrumentation.journal import Journal
    from tdls.interpreter.model import Limits, Place
    from tdls.interpreter.recording.records import RunRecord, Wanted
    from tdls.interpreter.source_map import SourceMap

_WORKER = "tdls.interpreter.worker.worker"
_GRACE_SECONDS = 5.0
"""Seconds that the parent waits beyond the worker's own limit. Without `isolation` only the parent enforces the limit.
"""


class _RunAnswer(Struct, frozen=True):
    """A worker's answer to a job; `error` is the reason if the worker cannot carry it out."""

    error: str = ""
    status: Status = Status.CRASH
    detail: str = ""
    texts: dict[Emit, str] = field(default_factory=dict)
    diagnostics: tuple[RunDiagnostic, ...] = ()
    located: str = ""
    printed: str = ""
    console: str = ""
    read: tuple[tuple[RunDiagnostic, ...], ...] = ()
    """The diagnostics of texts that were only read, by text."""


class BindingsBackend(Backend):
    """Runs scripts with the bindings in a Python package."""

    def __init__(self, package: str | None, python: str | None = None, setup: Iterable[tuple[str, str]] = ()) -> None:
        """Starts nothing before the first run.

        `python` is the path of a Python interpreter, None for this one. Without `package`, the first of `PACKAGES` that
        this interpreter has is used. `setup` has the steps for `run_setup`.
        """
        self._package = package
        self._packages = (package,) if package is not None else PACKAGES
        self._python = python
        self._setup = tuple(setup)
        self.name = self._shown(package or "bindings")
        self._lock = threading.Lock()
        self._worker: WorkerProcess | None = None
        self._folder: WritableFolder | None = None
        self._cancelled = False
        self._is_closed = False
        self._observes: bool | None = None

    def _run(self, request: RunRequest) -> RunResult:
        self._begin()
        try:
            return self._result(request)
        except FileNotFoundError:
            if not self._is_closed:
                raise
            return RunResult(Status.CANCELLED, self.name, "", detail="cancelled")
        except ReportError as error:
            return self._implausible(error)

    def _record(self, request: RunRequest, wanted: Wanted) -> RunRecord:
        self._begin()
        try:
            self._ready_worker()
            request = replace(request, limits=request.limits.begun())
            if self._observes is False:
                return record_with_tool(request, wanted, _OlderBindings(self._carry_out, self._answered))
            return record_with_bindings(request, wanted, self._carry_out, self._place().path)
        except FileNotFoundError:
            if not self._is_closed:
                raise
            return unrecorded(RunResult(Status.CANCELLED, self.name, "", detail="cancelled"))
        except ReportError as error:
            return unrecorded(self._implausible(error))

    def _implausible(self, error: ReportError) -> RunResult:
        """Return the result of a run with an implausible report; its worker is not used again."""
        self._end_worker()
        diagnostic = RunDiagnostic(RunLevel.ERROR, str(error))
        return RunResult(Status.FAILURE, self.name, "", diagnostics=(diagnostic,))

    def _begin(self) -> None:
        self._cancelled = False
        self._is_closed = False

    def _result(self, request: RunRequest) -> RunResult:
        started = time.perf_counter()
        self._ready_worker()
        request = replace(request, limits=request.limits.begun())
        if self._can_observe(request):
            return run_observed(request, self._carry_out, self._place().path, self._other)
        result = run_with_tool(request, _OlderBindings(self._carry_out, self._answered), self._other)
        return replace(result, seconds=time.perf_counter() - started)

    def _other(self) -> BindingsBackend:
        other = BindingsBackend(self._package, self._python, self._setup)
        other._begin()
        return other

    def executing(self, request: RunRequest) -> tuple[Place, ...]:
        """Run `request` once in parallel to the actual run; see `Watcher`."""
        try:
            self._ready_worker()
            if self._observes is False or self._is_given_up:
                return ()
            return executing_when_ended(request, self._carry_out, self._place().path)
        except (FileNotFoundError, ReportError):  # FileNotFoundError after `close`
            return ()

    def _can_observe(self, request: RunRequest) -> bool:
        """Tell whether the bindings support the observing operations; starts the worker if `request` depends on it."""
        if self._observes is None and (request.observe or request.until is not None):
            self._ready_worker()
        return self._observes is not False

    def _carry_out(self, request: RunRequest, journal: Journal | None, mode: Mode = Mode.RUN) -> RunResult:
        """Run a script once; the run writes its observations to `journal`."""
        result, located, source_map = self._answered(request, journal, mode)
        if journal is not None:
            journal.source_map = source_map
        payload = result.texts.get(Emit.PAYLOAD, "")
        return replace(
            result,
            diagnostics=source_map.diagnostics(result.diagnostics),
            origins=LazySequence(lambda: source_map.places(origins(payload, located))) if located else (),
        )

    def _answered(self, request: RunRequest, journal: Journal | None, mode: Mode) -> _Answer:
        with InputFiles() as input_files:
            input_files.source_map.add(INLINE, request.root)
            result, located = self._done(_message(request, input_files, journal, mode), request.limits)
        return _Answer(result, located, input_files.source_map)

    def _done(self, message: dict[str, Any], limits: Limits) -> tuple[RunResult, str]:
        """Return the result of a job, and the payload with locations."""
        started = time.perf_counter()
        with WritableFolder(self._place().path) as folder:
            seconds = message["seconds"] + (_GRACE_SECONDS if isolation.is_available() else 0.0)
            worker, answer = self._told({"folder": folder.path, **message}, limits, seconds)
        result = RunResult(
            status=answer.status,
            backend=self.name,
            mlir=worker.greeting.mlir if worker is not None else "",
            texts=answer.texts,
            diagnostics=answer.diagnostics,
            printed=answer.printed,
            console=answer.console,
            detail=answer.detail,
            seconds=time.perf_counter() - started,
        )
        return result, answer.located

    def print(self, path: Path, limits: Limits) -> RunResult:
        """Read a file, and print it, in a process that no script uses."""
        self._begin()
        message: dict[str, Any] = {
            "file": str(path),
            "libraries": [],
            "emits": [],
            "mode": Mode.PRINT.value,
            "journal": None,
        }
        try:
            self._ready_worker()
            return self._done({**message, **_limits(limits, limits.seconds)}, limits)[0]
        except FileNotFoundError:  # after `close`
            return RunResult(Status.CANCELLED, self.name, "", detail="cancelled")
        except ReportError as error:
            return self._implausible(error)

    def read(self, texts: Sequence[str], limits: Limits) -> TextsRead:
        """Parse and verify `texts` in one process, which no script uses."""
        self._begin()
        try:
            self._ready_worker()
            started = time.perf_counter()
            with WritableFolder(self._place().path) as folder:
                message = {
                    "folder": folder.path,
                    "texts": [text.encode("utf-8", "replace").decode("utf-8") for text in texts],
                    "journal": None,
                    **_limits(limits, limits.left),
                }
                worker, answer = self._told(message, limits, limits.left + _GRACE_SECONDS)
        except FileNotFoundError:  # after `close`
            return TextsRead(Status.CANCELLED, "")
        except ReportError:
            self._end_worker()
            return TextsRead(Status.FAILURE, "")
        mlir = worker.greeting.mlir if worker is not None else ""
        return TextsRead(answer.status, mlir, answer.read, time.perf_counter() - started)

    def _told(self, message: dict[str, Any], limits: Limits, seconds: float) -> tuple[WorkerProcess | None, _RunAnswer]:
        """Return the worker and its answer, or how it ended without one. Raises ReportError."""
        worker, answer = self._ask(message, limits, seconds)
        if answer is None or not isolation.is_available():
            self._end_worker()
        if answer is None:
            answer = self._no_answer(worker, limits)
        expect(not answer.error, "the report of the run", answer.error)
        for diagnostics in (answer.diagnostics, *answer.read):
            _check_places(diagnostics)
        return worker, answer

    def cancel(self) -> None:
        """End the worker and its current job."""
        self._cancelled = True
        self._end_worker()

    def close(self) -> None:
        """End the worker and delete all files; a run that another thread waits for is cancelled."""
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

    def _place(self) -> WritableFolder:
        """Return the folder that the worker may write to. Raises FileNotFoundError once the backend is closed."""
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

    def _ask(
        self, message: dict[str, Any], limits: Limits, seconds: float
    ) -> tuple[WorkerProcess | None, _RunAnswer | None]:
        """Return the worker and its answer. The job is repeated once if a worker from an earlier run has died
        meanwhile.

        The worker is None if the run was cancelled before one was ready.
        """
        worker = self._ready_worker()
        is_fresh = worker is not None and not worker.was_asked
        memory = limits.memory + (MEMORY if message["journal"] is not None else 0)  # for checkpoints
        request_of_worker = (message, _RunAnswer, seconds, memory, limits.files)
        answer = worker.ask(*request_of_worker) if worker is not None else None
        if answer is not None or worker is None or is_fresh or worker.is_given_up or self._is_given_up:
            return worker, answer
        self._end_worker()
        worker = self._ready_worker()
        return worker, worker.ask(*request_of_worker) if worker is not None else None

    def _ready_worker(self) -> WorkerProcess | None:
        """Return a worker that is ready for a job; None once the run is cancelled."""
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
        self._observes = worker.greeting.observes
        return None if self._is_given_up else worker

    def _shown(self, package: str) -> str:
        return package if self._python is None else f"{package} of {self._python}"

    def _no_answer(self, worker: WorkerProcess | None, limits: Limits) -> _RunAnswer:
        if self._is_given_up:
            return _RunAnswer(status=Status.CANCELLED, detail="cancelled")
        if worker is not None and worker.excess is not None:
            status, detail = too_much(worker.excess, limits)
            return _RunAnswer(status=status, detail=detail)
        if worker is not None and worker.timed_out:
            return _RunAnswer(status=Status.TIMEOUT, detail=still_running(limits.seconds))
        return _RunAnswer(detail="the worker ended")


def _seconds(request: RunRequest, mode: Mode) -> float:
    """Return the time limit of the worker in seconds; parsing alone has a budget of its own."""
    return request.limits.seconds if mode is Mode.READ else request.limits.left


def _message(request: RunRequest, input_files: InputFiles, journal: Journal | None, mode: Mode) -> dict[str, Any]:
    return {
        "text": request.root.text.encode("utf-8", "replace").decode("utf-8"),
        "libraries": [input_files.put(library) for library in request.preloaded],
        "entry_point": request.entry_point,
        "options": [list(option) for option in request.options],
        "emits": sorted(emit.value for emit in request.emits),
        "mode": mode.value,
        "journal": journal.message() if journal is not None else None,
        **_limits(request.limits, _seconds(request, mode)),
    }


def _limits(limits: Limits, seconds: float) -> dict[str, Any]:
    return {"seconds": seconds, "limit": limits.seconds, "memory": limits.memory, "output": limits.output}


def _check_places(diagnostics: Iterable[RunDiagnostic]) -> None:
    """Raise ReportError for a diagnostic with an impossible position."""
    for diagnostic in diagnostics:
        expect(diagnostic.line >= 0 and diagnostic.column >= 0, "a diagnostic", "there is no such line")
        _check_places(diagnostic.notes)


class _CarryOut(Protocol):
    def __call__(self, request: RunRequest, journal: None, mode: Mode = Mode.RUN) -> RunResult: ...


class _Ask(Protocol):
    def __call__(self, request: RunRequest, journal: None, mode: Mode) -> _Answer: ...


class _Answer(NamedTuple):
    """The answer of the bindings to a run: the result with MLIR's positions, and the payload with locations."""

    result: RunResult
    located: str
    source_map: SourceMap


class _OlderBindings:
    """Runs scripts in bindings that cannot define transform operations; see `ToolRuns`."""

    def __init__(self, carry_out: _CarryOut, ask: _Ask) -> None:
        """`carry_out` and `ask` do one run in the given mode, and return its outcome."""
        self._carry_out = carry_out
        self._ask = ask

    @property
    def shows_operations(self) -> bool:
        """True: the bindings have no setting for that."""
        return True

    def plain(self, request: RunRequest) -> RunResult:
        """Run the script without instrumentation."""
        return self._carry_out(replace(request, until=None, observe=False), None)

    def raw(self, request: RunRequest, flags: tuple[str, ...]) -> RawRun:
        """Run the script; `flags` are for tools, but if there are any, locations are printed."""
        mode = Mode.LOCATE if flags else Mode.RUN
        result, _, source_map = self._ask(replace(request, emits=frozenset({Emit.MODULE})), None, mode)
        output = result.texts.get(Emit.MODULE, "")
        return RawRun(result.status, result.diagnostics, result.printed, output, source_map)

    def ended_with(self, request: RunRequest, module: str) -> RunResult:
        """Return the result of a successful run that printed `module`."""
        emits = frozenset({Emit.BEFORE})
        before = self._carry_out(replace(request, emits=emits), None, Mode.READ)
        written = Script("", module, request.script.catalogue)
        payload = self._carry_out(RunRequest(written, emits=emits), None, Mode.READ)
        texts = {Emit.MODULE: module, **before.texts}
        if Emit.BEFORE in payload.texts:
            texts[Emit.PAYLOAD] = payload.texts[Emit.BEFORE]
        return replace(before, texts={emit: text for emit, text in texts.items() if emit in request.emits})
