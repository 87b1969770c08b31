"""Runs programs that build scripts, each in a process of its own, and reads their reports."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdls.files.boundary import real_path
from tdls.interpreter.confinement.confinement import protection
from tdls.interpreter.confinement.reports import ReportError, WritableFolder, decoded
from tdls.interpreter.errors import BackendError
from tdls.interpreter.mlir.worker.worker_process import WorkerProcess
from tdls.interpreter.output.exit_codes import still_running, too_much
from tdls.interpreter.output.origins import locations_of_lines
from tdls.python_builders.locations import PrintedStacks, is_own
from tdls.python_builders.model import (
    BuildNote,
    BuildProblem,
    BuildResult,
    BuiltModule,
    Frame,
    ProblemKind,
    RegisteredOperation,
)
from tdls.structs import Struct, field, replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tdls.python_builders.model import BuildRequest, Stack

_WORKER = "tdls.python_builders.worker.serving"
_GRACE_SECONDS = 6.0
"""Seconds after the worker's own limit at which tdls itself ends a program."""
_KINDS_OF_STATUS = {
    "timeout": ProblemKind.TIMEOUT,
    "out-of-memory": ProblemKind.OUT_OF_MEMORY,
    "too-much-output": ProblemKind.TOO_MUCH_OUTPUT,
}
"""Kinds of problems by the status of the worker's report; other statuses are crashes."""
_CALL = re.compile(r'  File "([^"\n]*)", line (\d{1,9}) in ([^\n]*)')
_THREAD = re.compile(r"^(?:Current thread|Thread|Stack) [^\n]*$", re.MULTILINE)
_DENIED = re.compile(r"[Pp]ermission denied|[Oo]peration not permitted")
_WHY_DENIED = (
    "the program writes to nothing but its temporary folder, starts no other programs, has no network and "
    "leaves other processes alone: "
    "docs/security.md, 'How runs are confined'"
)
_TOO_OLD = "these bindings do not tell which calls of Python make an operation: they have no `ir.loc_tracebacks`"
_REPORT = "the report of the program"
_DUMP = re.compile(r"^(?:PLEASE submit|Stack dump:| *#0 )", re.MULTILINE)
"""Where LLVM's own words on a crash begin."""
_MOST_SAID = 3


class _Ended(Struct, frozen=True):
    """Report of a worker: how the program's process ended, its output, and the calls that were noted."""

    status: str
    detail: str
    printed: str
    console: str
    answer: str
    calls: str


class _StoredDiagnostic(Struct, frozen=True):
    """A diagnostic of MLIR, with its location as MLIR prints it."""

    message: str
    location: str
    notes: tuple[_StoredDiagnostic, ...] = ()


class _StoredProblem(Struct, frozen=True):
    """The error that ended the program; `missing` is the module that it did not find.

    An exception of MLIR has the `diagnostics` that MLIR gave for it, maybe at the calls that built operations.
    """

    kind: ProblemKind
    message: str
    stack: tuple[Frame, ...]
    notes: tuple[BuildNote, ...]
    missing: str | None = None
    diagnostics: tuple[_StoredDiagnostic, ...] = ()


class _StoredModule(Struct, frozen=True):
    text: str
    located: str
    diagnostics: tuple[_StoredDiagnostic, ...]


class _ProgramReport(Struct, frozen=True):
    """Report of the program's process: written first without modules, since printing them may end it."""

    problem: _StoredProblem | None = None
    first: Frame | None = None
    bindings: str = ""
    stand_in: str = ""
    traces: bool = True
    payload: str | None = None
    modules: tuple[_StoredModule, ...] | None = None
    operations: tuple[RegisteredOperation, ...] = ()
    is_finished: bool = False
    unloaded: dict[str, str] = field(default_factory=dict)
    """Dialects of operations in scripts that were not loaded, with their classes; "" for one that Python lacks."""
    left_out: int = 0


class Builder:
    """Runs programs one by one. Its methods other than `cancel` are for one thread at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: WorkerProcess | None = None
        self._is_cancelled = False

    def build(self, request: BuildRequest) -> BuildResult:
        """Run a program, and return its result; errors are part of the result."""
        started = time.perf_counter()
        self._is_cancelled = False
        result = _explained(self._built(request))
        return replace(result, python=request.python, seconds=time.perf_counter() - started)

    def cancel(self) -> None:
        """End at once the program that another thread is waiting for."""
        self._is_cancelled = True
        with self._lock:
            worker = self._worker
        if worker is not None:
            worker.end()

    def _built(self, request: BuildRequest) -> BuildResult:
        with WritableFolder() as folder:
            try:
                worker = WorkerProcess(request.python, _WORKER, {}, folder)
            except BackendError as error:
                return _failed(ProblemKind.NO_BINDINGS, str(error))
            with self._lock:
                self._worker = worker
            try:
                return self._answered(worker, request)
            except ReportError as error:
                return _ended_program(ProblemKind.CRASH, str(error), request)
            finally:
                with self._lock:
                    self._worker = None
                worker.end()

    def _answered(self, worker: WorkerProcess, request: BuildRequest) -> BuildResult:
        problem = worker.greet()
        if problem and not self._is_cancelled:
            return _failed(ProblemKind.NO_BINDINGS, f"{request.python} cannot be used: {problem}")
        answer = None
        if not self._is_cancelled:
            limits = request.limits
            answer = worker.ask(_message(request), _Ended, limits.seconds + _GRACE_SECONDS, limits.memory, limits.files)
        if self._is_cancelled:
            return _failed(ProblemKind.CANCELLED, "cancelled")
        if worker.excess is not None:
            status, detail = too_much(worker.excess, request.limits)
            return _ended_program(_KINDS_OF_STATUS[status.value], detail, request)
        if answer is None and worker.timed_out:
            return _ended_program(ProblemKind.TIMEOUT, still_running(request.limits.seconds), request)
        if answer is None:
            return _ended_program(ProblemKind.CRASH, "the process ended", request)
        return _read(answer, request)


def build(request: BuildRequest) -> BuildResult:
    """Run a program once, and return its result."""
    return Builder().build(request)


def _message(request: BuildRequest) -> dict[str, Any]:
    return {
        "entry": request.entry,
        "arguments": list(request.arguments),
        "is_function": request.is_function,
        "returns_payload": request.returns_payload,
        "only_asks": request.only_asks,
        "folder": request.folder,
        "seconds": request.limits.seconds,
        "memory": request.limits.memory,
        "output": request.limits.output,
    }


def _failed(kind: ProblemKind, message: str) -> BuildResult:
    return BuildResult(problems=(BuildProblem(kind, message),))


def _ended_program(kind: ProblemKind, message: str, request: BuildRequest) -> BuildResult:
    """Return the result of a program that ended without a report; `first` is the first line if it is a file."""
    file = str(real_path(Path(request.folder) / request.entry))
    return replace(_failed(kind, message), first=None if request.is_function else Frame(file, "<module>", 1))


def _read(answer: _Ended, request: BuildRequest) -> BuildResult:
    """Return the report of the worker as a result. Raises ReportError."""
    report = _program_report(answer)
    problems = list(_ends(answer, report, request))
    is_complete = not answer.status and report is not None and report.problem is None
    report = report or _ProgramReport()
    modules, refusals = _modules(report)
    problems = [_with_loading(problem, report.unloaded, request) for problem in (*problems, *refusals)]
    result = BuildResult(
        modules=modules,
        problems=tuple(problems),
        is_complete=is_complete,
        printed=answer.printed,
        console=answer.console,
        bindings=report.bindings,
        stand_in=report.stand_in,
        left_out=report.left_out,
        payload=report.payload,
        operations=report.operations,
        first=report.first,
    )
    is_empty = result.payload is None if request.returns_payload else not modules
    return _without_results(result, report, request) if is_complete and is_empty else result


def collected_result(modules: Sequence[dict[str, Any]], operations: Sequence[dict[str, Any]]) -> BuildResult:
    """Return the result for modules that were collected in this process (`worker.collected.Collected`)."""
    content = json.dumps({"modules": modules, "operations": operations}).encode("utf-8", "surrogatepass")
    report = decoded(content, _ProgramReport, _REPORT)
    built, refusals = _modules(report)
    return BuildResult(modules=built, problems=refusals, is_complete=True, operations=report.operations)


def _modules(report: _ProgramReport) -> tuple[tuple[BuiltModule, ...], tuple[BuildProblem, ...]]:
    """Return the modules of a report, and MLIR's refusals of them."""
    modules: list[BuiltModule] = []
    refusals: list[BuildProblem] = []
    for stored in report.modules or ():
        printed = PrintedStacks(stored.located)
        modules.append(_module(stored, printed))
        refusals += (_refusal(diagnostic, printed) for diagnostic in stored.diagnostics)
    return tuple(modules), tuple(refusals)


def _program_report(answer: _Ended) -> _ProgramReport | None:
    """Return the report of the program's process, or None if it is missing, or cut off where the process ended early.

    Raises ReportError.
    """
    if not answer.answer:
        return None
    try:
        return decoded(answer.answer.encode("utf-8", "surrogatepass"), _ProgramReport, _REPORT)
    except ReportError:
        if answer.status:
            return None
        raise


def _ends(answer: _Ended, report: _ProgramReport | None, request: BuildRequest) -> Iterator[BuildProblem]:
    """Yield the problems that kept the program from its end."""
    if report is not None and report.problem is not None:
        problems = _problems(report.problem, report.modules or (), request)
        is_later = report.is_finished and not report.problem.diagnostics
        yield from (replace(each, is_later=True, help=each.help or _LATER) if is_later else each for each in problems)
    if answer.status:
        kind = _KINDS_OF_STATUS.get(answer.status, ProblemKind.CRASH)
        is_printing = report is not None and report.modules is None
        message = f"MLIR ended while it printed what was built: {answer.detail}" if is_printing else answer.detail
        said = _DUMP.split(answer.console)[0].split("\n") if kind is ProblemKind.CRASH else []
        lines = [line.strip() for line in said if line.strip()][-_MOST_SAID:]
        advice = f"before that, the program wrote: {'; '.join(lines)}" if lines else None
        yield BuildProblem(kind, message, _noted_calls(answer.calls), help=advice)
    elif report is None:
        yield BuildProblem(ProblemKind.CRASH, "the process ended without a word", _noted_calls(answer.calls))


def _problems(
    stored: _StoredProblem, modules: Sequence[_StoredModule], request: BuildRequest
) -> Iterator[BuildProblem]:
    """Yield the problem of an exception; one of MLIR has a problem for each diagnostic, at the call that it is about.

    Diagnostics of MLIR's verifier for a built module are not repeated.
    """
    notes = stored.notes
    if not stored.diagnostics:
        advice = _advice(stored, request) if stored.missing else None
        advice = _OTHER_EFFECTS if _MISUSED_EFFECTS.search(stored.message) else advice
        yield BuildProblem(stored.kind, stored.message, stored.stack, notes, advice)
        return
    known = {(each.message, each.location) for module in modules for each in module.diagnostics}
    printed = PrintedStacks("")
    for diagnostic in stored.diagnostics:
        if (diagnostic.message, diagnostic.location) in known:
            continue
        problem = _refusal(diagnostic, printed)
        if any(Path(frame.file).is_absolute() for frame in problem.stack):
            raised = BuildNote(f"raised here: {stored.message}", stored.stack)
            yield replace(problem, notes=(*problem.notes, raised, *notes))
        else:
            inside = next((f" (line {frame.line}, column {frame.column} of the text)" for frame in problem.stack), "")
            message = problem.message + inside
            yield replace(problem, kind=stored.kind, message=message, stack=stored.stack, notes=notes)


def _with_loading(problem: BuildProblem, unloaded: Mapping[str, str], request: BuildRequest) -> BuildProblem:
    """Return the problem with the way to load the dialects that were not loaded, if it is about operations of these."""
    if not unloaded or _NOT_REGISTERED.search(problem.message) is None:
        return problem
    names = " and ".join(f"`{name}`" for name in unloaded)
    calls = " and ".join(f"`{place}.load()`" for place in unloaded.values() if place)
    called = request.entry.replace(":", ".") if request.is_function else "the function that builds the script"
    how = f"calls {calls}" if calls else f"loads {names}"
    load = f"in a file of your own, write a function that {how} and then `{called}`, and check that"
    return replace(problem, help=f"the dialect of the operation is not loaded in the context: {names}; {load}")


_NOT_REGISTERED = re.compile(r"expected children ops to implement|unregistered|Dialect `[^`]*' not found")
_LATER = "all scripts were built before this, and are checked as usual"


def _advice(stored: _StoredProblem, request: BuildRequest) -> str:
    """Return the Python that lacks a module, and the way to make the program find it."""
    package = (stored.missing or "").partition(".")[0]
    where = f"{request.python} does not find `{stored.missing}`"
    start = real_path(Path(request.folder, "" if request.is_function else request.entry))
    around = [start / name for start in (start, *start.parents)[:_MOST_FOLDERS_AROUND] for name in _SOURCES]
    for folder in around:
        if os.path.isfile(folder / package / "__init__.py") and package == stored.missing:
            return f"{where}; it is in {folder}: install that project, or set PYTHONPATH={folder}"
    return f"{where}; name the Python that has it with `--python` or the setting `run.python`, or set PYTHONPATH"


_MISUSED_EFFECTS = re.compile(r"get_effects\(\) (?:takes 1 positional argument but 2|missing 1 required positional)")
_OTHER_EFFECTS = (
    "bindings since August 2026 want `get_effects(op)` to return the effects, and those before call "
    "`get_effects(op, effects)` with a list to add them to: use the bindings that the program was written for"
)
_MOST_FOLDERS_AROUND = 6
_SOURCES = ("", "src", "python")
"""Folders of a project in which its packages are."""


def _noted_calls(text: str) -> Stack:
    """Return the calls of the current thread, else of the last one, from the text of ``faulthandler``."""
    threads = list(_THREAD.finditer(text))
    if not threads:
        return ()
    current = next((thread for thread in threads if thread[0].startswith("Current")), threads[-1])
    calls: list[Frame] = []
    for line in text[current.end() :].lstrip("\n").split("\n"):
        match = _CALL.fullmatch(line)
        if match is None:
            break
        calls += [] if is_own(match[1]) else [Frame(match[1], match[3], int(match[2]))]
    return tuple(calls)


def _module(stored: _StoredModule, printed: PrintedStacks) -> BuiltModule:
    """Return a module with the calls behind each of its lines."""
    numbers: dict[Stack, int] = {}
    rows = []
    for location in locations_of_lines(stored.text, stored.located):
        stack = printed.stack(location) if location is not None else ()
        rows.append(numbers.setdefault(stack, len(numbers)) if stack else -1)
    return BuiltModule(stored.text, tuple(rows), tuple(numbers))


def _refusal(stored: _StoredDiagnostic, printed: PrintedStacks) -> BuildProblem:
    notes = tuple(BuildNote(note.message, printed.stack_behind(note.location)) for note in stored.notes)
    return BuildProblem(ProblemKind.VERIFIER, stored.message, printed.stack_behind(stored.location), notes)


def _without_results(result: BuildResult, report: _ProgramReport, request: BuildRequest) -> BuildResult:
    """Return the result of a program that completed without what was asked for, with the reason."""
    stack = (result.first,) if result.first is not None else ()
    kind = ProblemKind.NOTHING_BUILT
    if request.returns_payload:
        message = "no payload was built: a function for that returns a module, another operation, or a text"
    elif not report.bindings:
        message = "no script was built: the program imported no bindings of MLIR; `tdls check` checks its strings"
    elif not report.traces:
        kind, message = ProblemKind.NO_BINDINGS, _TOO_OLD
    else:
        message = "no script was built: no module of the program has transform operations"
    return replace(result, problems=(BuildProblem(kind, message, stack),))


def _explained(result: BuildResult) -> BuildResult:
    """Return `result` with advice on problems caused by the confinement of programs."""

    def explained(problem: BuildProblem) -> BuildProblem:
        if protection().confines and problem.kind is ProblemKind.EXCEPTION and _DENIED.search(problem.message):
            return replace(problem, help=_WHY_DENIED)
        return problem

    return replace(result, problems=tuple(map(explained, result.problems)))
