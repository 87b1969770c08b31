"""The backend that runs scripts with a tool that accepts the options of ``mlir-opt``, one process per run."""

from __future__ import annotations

import re
import sys
import threading
import time
from bisect import bisect_right
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.interpreter.backends.tool import Done, Tool
from tdls.interpreter.input_files import InputFiles
from tdls.interpreter.instrumentation.tool_answers import LOCATED, QUIET, RawRun
from tdls.interpreter.instrumentation.tool_run import executing_by_tool_when_ended, run_with_tool
from tdls.interpreter.model import READ_TEXT, Emit, RunDiagnostic, RunLevel, RunResult, Status, TextFile, TextsRead
from tdls.interpreter.output.diagnostics import read_diagnostics
from tdls.interpreter.output.exit_codes import abnormal_end, still_running, too_much, too_much_output
from tdls.interpreter.output.stripping import without_scripts
from tdls.interpreter.pipeline import interpreter_pass, module_pipeline, preload_pass
from tdls.interpreter.recording.backend import Backend
from tdls.interpreter.recording.with_tool import record_with_tool
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.interpreter.model import Limits, Place, RunRequest
    from tdls.interpreter.recording.records import RunRecord, Wanted
    from tdls.interpreter.script import Script

_TIDYING_SECONDS = 0.3
_LOGGING = (*LOCATED, "--mlir-print-local-scope", "--mlir-disable-threading", "--log-actions-to=-")
_MARKER = re.compile("// -----")
_BETWEEN = "\n// -----\n"
_IN_PART = re.compile(r"^within split at .*?:(\d+) offset :(\d+)", re.MULTILINE)
"""The place of a diagnostic in tools before LLVM 22: the line of the part, and the line in it."""
_EXPECTATION = re.compile(r"expected-(?=error|warning|remark|note)")


class CommandBackend(Backend):
    """Runs scripts with a tool."""

    def __init__(self, command: Sequence[str]) -> None:
        """`command` is the tool's path with the arguments of every call."""
        self.name = " ".join((Path(command[0]).name, *command[1:]))
        self._command = tuple(command)
        self._tool = Tool(self._command)
        self._is_idle = threading.Event()
        self._is_idle.set()

    def _run(self, request: RunRequest) -> RunResult:
        started = time.perf_counter()
        with self._begun(request) as begun:
            result = run_with_tool(begun, self, lambda: CommandBackend(self._command))
        return replace(result, seconds=time.perf_counter() - started)

    def _record(self, request: RunRequest, wanted: Wanted) -> RunRecord:
        with self._begun(request) as begun:
            return record_with_tool(begun, wanted, self)

    def log_actions(self, request: RunRequest) -> RawRun:
        """Run the script with the log of actions, which is in the right order with the output of `transform.print`."""
        with self._begun(request) as begun:
            return self.raw(begun, _LOGGING)

    @contextmanager
    def _begun(self, request: RunRequest) -> Iterator[RunRequest]:
        """Yield `request` with its time running; the backend is not idle until the block ends."""
        self._tool.begin()
        self._is_idle.clear()
        try:
            yield replace(request, limits=request.limits.begun())
        finally:
            self._is_idle.set()

    def executing(self, request: RunRequest) -> tuple[Place, ...]:
        """Run `request` once in parallel to the actual run; see `Watcher`."""
        return executing_by_tool_when_ended(request, self)

    @property
    def shows_operations(self) -> bool:
        """False, since flags turn that off; see `ToolRuns`."""
        return False

    def plain(self, request: RunRequest) -> RunResult:
        """Run the script without instrumentation; see `ToolRuns`."""
        with InputFiles() as input_files:
            run = _Run(self._tool, request, input_files)
            done = run.script(QUIET if request.only_remarks else ())
            status, detail = run.ending(done)
            printed = read_diagnostics(done.errors, input_files.lines())
            return replace(
                self._result(status),
                texts=run.texts(done.output) if status is Status.SUCCESS else {},
                diagnostics=input_files.source_map.diagnostics([*printed.diagnostics, *_problems(done)]),
                printed=done.printed,
                console=printed.others,
                detail=detail,
            )

    def raw(self, request: RunRequest, flags: tuple[str, ...]) -> RawRun:
        """Run the script with more `flags` for the tool; see `ToolRuns`."""
        with InputFiles() as input_files:
            run = _Run(self._tool, request, input_files)
            done = run.script(flags)
            whole_lines = done.errors[: done.errors.rfind("\n") + 1]
            errors = read_diagnostics(whole_lines, input_files.lines())
            return RawRun(
                status=run.ending(done)[0],
                diagnostics=(*errors.diagnostics, *_problems(done)),
                printed=done.printed,
                output=done.output,
                source_map=input_files.source_map,
                console=errors.others,
            )

    def ended_with(self, request: RunRequest, module: str) -> RunResult:
        """Return the result of a successful run that printed `module`; see `ToolRuns`."""
        with InputFiles() as input_files:
            return replace(self._result(Status.SUCCESS), texts=_Run(self._tool, request, input_files).texts(module))

    def read(self, texts: Sequence[str], limits: Limits) -> TextsRead:
        """Parse and verify `texts` in one process, as parts of one file."""
        self._tool.begin()
        self._is_idle.clear()
        started = time.perf_counter()
        try:
            with InputFiles() as input_files:
                parts = [_MARKER.sub("//------", _EXPECTATION.sub("Expected-", text)) for text in texts]
                path = input_files.put(TextFile(READ_TEXT, _BETWEEN.join(parts)))
                arguments = [path, "--allow-unregistered-dialect", "--split-input-file"]
                done = self._tool.run(arguments, limits.afresh(limits.left))
                errors = _IN_PART.sub(lambda found: f"{path}:{int(found[1]) + int(found[2]) - 1}", done.errors)
                printed = read_diagnostics(errors, input_files.lines()).diagnostics
                placed = input_files.source_map.diagnostics(printed)
        finally:
            self._is_idle.set()
        status = _ending(done, limits)[0]
        has_errors = any(diagnostic.level is RunLevel.ERROR for diagnostic in printed)
        is_read = done.code == 0 or (status is Status.FAILURE and has_errors)
        if len(texts) > 1 and any(not _lines(each) for each in placed if each.level is RunLevel.ERROR):
            alone = [self.read([text], limits.begun()) for text in texts]  # a text names locations of its own
            ended = next((each.status for each in alone if each.status is not Status.SUCCESS), Status.SUCCESS)
            found = tuple(each.diagnostics[0] for each in alone)
            return TextsRead(ended, self._tool.version, found, time.perf_counter() - started)
        seconds = time.perf_counter() - started
        return TextsRead(Status.SUCCESS if is_read else status, self._tool.version, _by_text(placed, parts), seconds)

    def print(self, path: Path, limits: Limits) -> RunResult:
        """Read a file, and print it."""
        self._tool.begin()
        self._is_idle.clear()
        try:
            done = self._tool.run([str(path), "--allow-unregistered-dialect"], limits)
        finally:
            self._is_idle.set()
        status, detail = _ending(done, limits)
        texts = {Emit.MODULE: done.output} if status is Status.SUCCESS else {}
        diagnostics = (*read_diagnostics(done.errors, {}).diagnostics, *_problems(done))
        return replace(self._result(status), texts=texts, diagnostics=diagnostics, detail=detail)

    def _result(self, status: Status) -> RunResult:
        return RunResult(status, self.name, self._tool.version)

    def cancel(self) -> None:
        """Kill the tool."""
        self._tool.cancel()

    def close(self) -> None:
        """Kill the tool, and wait until the thread of the run has deleted its files."""
        self._tool.cancel()
        self._is_idle.wait(_TIDYING_SECONDS)


class _Run:
    """One request: the processes of `tool` for it, and their files in `input_files`."""

    def __init__(self, tool: Tool, request: RunRequest, input_files: InputFiles) -> None:
        self._tool = tool
        self._request = request
        self._input_files = input_files
        self._root = self._put(request.root)
        libraries = [self._put(library) for library in request.preloaded]
        self._preload = [preload_pass(libraries)] if libraries else []

    def _put(self, file: TextFile | Script) -> str:
        """Write `file` for the tool, with the comments of ``--verify-diagnostics`` disabled.

        The tools of LLVM 22 report unmet expectations without that flag, too.
        """
        return self._input_files.put(file, _EXPECTATION.sub("Expected-", file.text))

    def script(self, flags: Sequence[str] = ()) -> Done:
        """Run the script, with further `flags` for the tool."""
        interpreter = interpreter_pass(self._request.entry_point, self._request.options)
        limits = self._request.limits
        return self.passes(*self._preload, interpreter, flags=flags, seconds=limits.left)

    def ending(self, done: Done) -> tuple[Status, str]:
        """Return the status of the script's finished run `done`, and one line of details."""
        status, detail = _ending(done, self._request.limits)
        if status is Status.FAILURE and self.passes(*self._preload).code != 0:
            status = Status.INVALID
        return status, detail

    def passes(
        self,
        *passes: tuple[str, str],
        source: str | None = None,
        flags: Sequence[str] = (),
        seconds: float | None = None,
    ) -> Done:
        """Run `passes` over the root, or over the text `source`.

        `seconds` limits the time; by default each such process has the budget of a whole run, since it runs no script.
        """
        path = self._root if source is None else self._input_files.put(TextFile("", source))
        pipeline = f"--pass-pipeline={module_pipeline(passes)}"
        arguments = [path, "--allow-unregistered-dialect", *flags, pipeline]
        return self._tool.run(arguments, self._request.limits.afresh(seconds))

    def texts(self, module: str) -> dict[Emit, str]:
        """Return the requested texts; `module` is the output of the script's run."""
        found: dict[Emit, str] = {}
        emits = self._request.emits
        if Emit.MODULE in emits:
            found[Emit.MODULE] = module
        if Emit.PAYLOAD in emits:
            found[Emit.PAYLOAD] = self._without_scripts(module)
        if Emit.BEFORE in emits:
            found[Emit.BEFORE] = self._without_scripts(self.passes().output)
        return found

    def _without_scripts(self, text: str) -> str:
        """Strip scripts from `text`; the tool prints it again if it has aliases, since some may be unused now."""
        stripped = without_scripts(text)
        if stripped == text or not stripped.startswith(("#", "!")):
            return stripped
        again = self.passes(source=stripped)
        return again.output if again.code == 0 else stripped


def _by_text(diagnostics: Iterable[RunDiagnostic], texts: Sequence[str]) -> tuple[tuple[RunDiagnostic, ...], ...]:
    """Return diagnostics of a file with `texts`, at lines of the text; each is of the text of its first place."""
    firsts = list(accumulate((text.count("\n") + _BETWEEN.count("\n") for text in texts), initial=1))[:-1]
    found: list[list[RunDiagnostic]] = [[] for _ in texts]
    for diagnostic in diagnostics:
        lines = _lines(diagnostic)
        text = bisect_right(firsts, lines[0]) - 1 if lines else 0
        found[text].append(_raised(diagnostic, firsts[text] - 1))
    return tuple(map(tuple, found))


def _lines(diagnostic: RunDiagnostic) -> list[int]:
    """Return the lines of the file that a diagnostic and its notes name."""
    return [each.line for each in (diagnostic, *diagnostic.notes) if each.file == READ_TEXT]


def _raised(diagnostic: RunDiagnostic, lines: int) -> RunDiagnostic:
    line = diagnostic.line - lines if diagnostic.file == READ_TEXT else diagnostic.line
    return replace(diagnostic, line=line, notes=tuple(_raised(note, lines) for note in diagnostic.notes))


def _problems(done: Done) -> list[RunDiagnostic]:
    """Return an error if the output cannot be read."""
    return [RunDiagnostic(RunLevel.ERROR, done.problem)] if done.problem else []


def _ending(done: Done, limits: Limits) -> tuple[Status, str]:
    if done.cancelled:
        return Status.CANCELLED, "cancelled"
    if done.flooded:
        return Status.TOO_MUCH_OUTPUT, too_much_output(limits.output)
    if done.excess is not None:
        return too_much(done.excess, limits)
    if done.timed_out:
        return Status.TIMEOUT, still_running(limits.seconds)
    if done.problem:
        return Status.FAILURE, ""
    if done.code == 0:
        return (Status.SUCCESS, "") if done.output else (Status.INVALID, "the tool wrote no module")
    if done.code == 1 or (done.code > 1 and sys.platform != "win32"):
        return Status.FAILURE, ""
    return abnormal_end(done.code, done.errors, 0, limits.memory, limits.output)
