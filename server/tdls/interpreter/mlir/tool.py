"""Calls a tool that accepts the options of ``mlir-opt``, one process a call, within limits."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import IO, TYPE_CHECKING

from tdls.interpreter.confinement.confinement import Confinement, needed_programs, start_confined
from tdls.interpreter.confinement.reports import ReportError, WritableFolder
from tdls.interpreter.confinement.watch import LOOK_SECONDS, Watch, has_ended, kill_group
from tdls.interpreter.errors import BackendError
from tdls.interpreter.mlir.mlir_opt import Call, MlirOpt, Output
from tdls.interpreter.output.diagnostics import read_diagnostics
from tdls.interpreter.output.exit_codes import abnormal_end, still_running, too_much, too_much_output
from tdls.interpreter.runs.model import READ_TEXT, Limits, RunDiagnostic, RunLevel, Status, TextFile, TextsRead
from tdls.interpreter.runs.pipeline import module_pipeline, preload_pass
from tdls.interpreter.runs.source_map import InputFiles
from tdls.structs import Struct, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.interpreter.confinement.watch import Excess
    from tdls.interpreter.runs.script import Script

_VERSION = re.compile(r"LLVM version (\S+)")
_QUERY_LIMITS = Limits(output=4 << 20)
_OUTPUT = "output"
_TIDYING_SECONDS = 0.3
_UNREGISTERED = "--allow-unregistered-dialect"
_LOCATED = "--mlir-print-debuginfo"
_PRINTER = "[[[ IR printer: tdls."
"""The beginning of what a probe prints."""
_QUIET = "--mlir-print-op-on-diagnostic=false"
_MARKER = re.compile("// -----")
_BETWEEN = "\n// -----\n"
_IN_PART = re.compile(r"^within split at .*?:(\d+) offset :(\d+)", re.MULTILINE)
"""The position of a diagnostic in tools before LLVM 22: the line of the part, and the line in it."""
_EXPECTATION = re.compile(r"expected-(?=error|warning|remark|note)")
"""Comments of ``--verify-diagnostics``: the tools of LLVM 22 report unmet ones without that flag, too."""


class Done(Struct, frozen=True):
    """The exit code of a tool (as in `subprocess`), the content of its output file, and its printed output."""

    code: int
    output: str = ""
    printed: str = ""
    errors: str = ""
    timed_out: bool = False
    cancelled: bool = False
    flooded: bool = False
    """True if it was ended because one of its files or streams exceeded the limit."""
    excess: Excess | None = None
    """The shared limit that its processes exceeded, if it was ended for that."""
    problem: str = ""
    """The reason why an existing output file cannot be read."""


class Tool(MlirOpt):
    """A program with the arguments of every call."""

    shows_operations = False

    def __init__(self, command: Sequence[str]) -> None:
        """`command` is the tool's path with the arguments of every call."""
        self.name = " ".join((Path(command[0]).name, *command[1:]))
        self._command = tuple(command)
        self._process: subprocess.Popen[bytes] | None = None
        self._cancelled = False
        self._is_idle = threading.Event()
        self._is_idle.set()

    @cached_property
    def version(self) -> str:
        """The version that the tool reports, "" if none."""
        match = _VERSION.search(self._output_of([self._command[0], "--version"]))
        return f"LLVM {match[1]}" if match else ""

    @property
    def help(self) -> str:
        """The output of ``--help``, with the arguments of every call; "" if the tool cannot be started."""
        return self._output_of([*self._command, "--help"])

    def call(self, call: Call) -> Output:
        """Carry out `call`; a failed one is repeated without passes, to tell whether MLIR can read the texts."""
        with InputFiles() as input_files:
            root = str(call.root) if isinstance(call.root, Path) else self._put(input_files, call.root)
            libraries = [self._put(input_files, library) for library in call.libraries]
            preload = [preload_pass(libraries)] if libraries else []
            flags = [_LOCATED] * call.is_located + [_QUIET] * call.is_quiet

            def run(passes: Sequence[tuple[str, str]], limits: Limits) -> Done:
                pipeline = [f"--pass-pipeline={module_pipeline(passes)}"] if passes else []
                return self._run([root, _UNREGISTERED, *flags, *pipeline], limits)

            done = run([*preload, *call.passes], call.limits)
            again = Done(-1)
            if call.is_also_located and (done.code == 0 or _PRINTER in done.printed):
                flags.append(_LOCATED)
                again = run([*preload, *call.passes], call.limits)
            status, detail = _ending(done, call.limits)
            if status is Status.FAILURE and (not call.passes or run(preload, call.limits.afresh()).code != 0):
                status = Status.INVALID
            has_ended = status in (Status.SUCCESS, Status.FAILURE, Status.INVALID)
            end = None if has_ended else done.errors.rfind("\n") + 1  # the last line may be incomplete
            errors = read_diagnostics(done.errors[:end], input_files.lines() if done.errors else {})
            problems = [RunDiagnostic(RunLevel.ERROR, done.problem)] if done.problem else []
            return Output(
                status=status,
                detail=detail,
                module=done.output if status is Status.SUCCESS else "",
                located=again.output if again.code == 0 else "",
                diagnostics=(*errors.diagnostics, *problems),
                printed=done.printed,
                located_prints=again.printed,
                console=errors.others,
                source_map=input_files.source_map,
            )

    @staticmethod
    def _put(input_files: InputFiles, file: TextFile | Script) -> str:
        return input_files.put(file, _EXPECTATION.sub("Expected-", file.text))

    def read(self, texts: Sequence[str], limits: Limits) -> TextsRead:
        """Parse and verify `texts` in one process, as parts of one file."""
        started = time.perf_counter()
        with InputFiles() as input_files:
            parts = [_MARKER.sub("//------", _EXPECTATION.sub("Expected-", text)) for text in texts]
            path = input_files.put(TextFile(READ_TEXT, _BETWEEN.join(parts)))
            done = self._run([path, _UNREGISTERED, "--split-input-file"], limits)
            errors = _IN_PART.sub(lambda part: f"{path}:{int(part[1]) + int(part[2]) - 1}", done.errors)
            diagnostics = read_diagnostics(errors, input_files.lines()).diagnostics
            located = input_files.source_map.diagnostics(diagnostics)
        status = _ending(done, limits)[0]
        has_errors = any(diagnostic.level is RunLevel.ERROR for diagnostic in diagnostics)
        is_read = done.code == 0 or (status is Status.FAILURE and has_errors)
        if len(texts) > 1 and any(not _lines(each) for each in located if each.level is RunLevel.ERROR):
            alone = [self.read([text], limits.begun()) for text in texts]  # a text names locations of its own
            status = next((each.status for each in alone if each.status is not Status.SUCCESS), Status.SUCCESS)
            by_text = tuple(each.diagnostics[0] for each in alone)
        else:
            status, by_text = Status.SUCCESS if is_read else status, _by_text(located, parts)
        return TextsRead(status, self.version, by_text, time.perf_counter() - started)

    def begin(self) -> None:
        """Reset a former cancellation."""
        self._cancelled = False

    def cancel(self) -> None:
        """Kill the process that another thread waits for, and start none before `begin`."""
        self._cancelled = True
        process = self._process
        if process is not None:
            kill_group(process)

    def close(self) -> None:
        """Kill the tool, and wait until the thread of the call has deleted its files."""
        self.cancel()
        self._is_idle.wait(_TIDYING_SECONDS)

    def _output_of(self, command: list[str]) -> str:
        try:
            return self._done(command, _QUERY_LIMITS, writes=False).printed
        except BackendError:
            return ""

    def _run(self, arguments: Sequence[str], limits: Limits) -> Done:
        """Run the tool with an output file in a new folder, the only one that it may write to; not if it is cancelled.

        Raises BackendError if it cannot be started.
        """
        if self._cancelled:
            return Done(-1, cancelled=True)
        self._is_idle.clear()
        try:
            return self._done([*self._command, *arguments], limits, writes=True)
        finally:
            self._is_idle.set()

    def _done(self, command: list[str], limits: Limits, *, writes: bool) -> Done:
        """Run `command`, with an output option if it `writes`."""
        with WritableFolder() as folder, tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as errors:
            command = [*command, "-o", folder.file(_OUTPUT)] if writes else command
            process = self._started(command, folder, limits, printed, errors)
            try:
                flooded, excess = self._watched(process, folder, limits, [printed, errors])
                timed_out = not flooded and excess is None and not has_ended(process)
            finally:
                kill_group(process)
                self._process = None
            code = process.wait()
            output, problem = "", ""
            try:
                output = (folder.read(_OUTPUT, limits.output) or b"").decode("utf-8", "replace")
            except ReportError as error:
                problem = str(error)
            return Done(
                code=code,
                output=output if not output or output.endswith("}\n") else output.rstrip("\n") + "\n",
                printed=_text(printed, limits.output),
                errors=_text(errors, limits.output),
                timed_out=timed_out,
                cancelled=self._cancelled,
                flooded=flooded,
                excess=excess,
                problem=problem,
            )

    @staticmethod
    def _watched(
        process: subprocess.Popen[bytes], folder: WritableFolder, limits: Limits, streams: list[IO[bytes]]
    ) -> tuple[bool, Excess | None]:
        """Wait until the process ends or its time is up; return whether a file exceeded its limit, and the exceeded
        limit of all processes.
        """
        watch = Watch(process.pid, folder, limits.memory, limits.files)
        deadline = time.monotonic() + limits.left
        while (remaining := deadline - time.monotonic()) > 0:
            is_over = has_ended(process, min(remaining, LOOK_SECONDS))
            sizes = (os.fstat(stream.fileno()).st_size for stream in streams)
            if max(_size(folder.file(_OUTPUT)), *sizes) > limits.output:
                return True, None
            if is_over:
                break
            excess = watch.excess()
            if excess is not None:
                return False, excess
        return False, None

    def _started(
        self, command: list[str], folder: WritableFolder, limits: Limits, printed: IO[bytes], errors: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        confinement = Confinement((folder.path,), needed_programs(command[0]))
        streams = {"stdin": subprocess.DEVNULL, "stdout": printed, "stderr": errors}
        try:
            self._process = start_confined(command, confinement, limits.afresh(limits.left), **streams)
        except OSError as error:
            raise BackendError(f"{command[0]} cannot be run: {error.strerror or error}") from error
        return self._process


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


def _by_text(diagnostics: Iterable[RunDiagnostic], texts: Sequence[str]) -> tuple[tuple[RunDiagnostic, ...], ...]:
    """Return diagnostics of a file with `texts`, at lines of the text; each is of the text of its first position."""
    firsts = list(accumulate((text.count("\n") + _BETWEEN.count("\n") for text in texts), initial=1))[:-1]
    by_text: list[list[RunDiagnostic]] = [[] for _ in texts]
    for diagnostic in diagnostics:
        lines = _lines(diagnostic)
        text = bisect_right(firsts, lines[0]) - 1 if lines else 0
        by_text[text].append(_raised(diagnostic, firsts[text] - 1))
    return tuple(map(tuple, by_text))


def _lines(diagnostic: RunDiagnostic) -> list[int]:
    """Return the lines of the file that a diagnostic and its notes name."""
    return [each.line for each in (diagnostic, *diagnostic.notes) if each.file == READ_TEXT]


def _raised(diagnostic: RunDiagnostic, lines: int) -> RunDiagnostic:
    line = diagnostic.line - lines if diagnostic.file == READ_TEXT else diagnostic.line
    return replace(diagnostic, line=line, notes=tuple(_raised(note, lines) for note in diagnostic.notes))


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def _text(stream: IO[bytes], most: int) -> str:
    stream.seek(0)
    return stream.read(most).decode("utf-8", "replace")
