"""Runs a tool like ``mlir-opt`` within limits."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from functools import cached_property
from typing import IO, TYPE_CHECKING

from tdls.interpreter.confinement.confinement import Confinement, needed_programs, start_confined
from tdls.interpreter.confinement.reports import ReportError, WritableFolder
from tdls.interpreter.confinement.watch import LOOK_SECONDS, Watch, has_ended, kill_group
from tdls.interpreter.errors import BackendError
from tdls.interpreter.model import Limits
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.confinement.watch import Excess

_VERSION = re.compile(r"LLVM version (\S+)")
_QUERY_LIMITS = Limits(output=4 << 20)
_OUTPUT = "output"


class Done(Struct, frozen=True):
    """The exit code of a tool (as in `subprocess`), the content of its output file, and its printed output."""

    code: int
    output: str
    printed: str
    errors: str
    timed_out: bool
    cancelled: bool
    flooded: bool
    """True if it was ended because one of its files or streams exceeded the limit."""
    excess: Excess | None = None
    """The shared limit that its processes exceeded, if it was ended for that."""
    problem: str = ""
    """The reason why an existing output file cannot be read."""


class Tool:
    """A program with the arguments of every call; runs one process at a time."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._cancelled = False

    @cached_property
    def version(self) -> str:
        """The version that the tool reports, "" if none."""
        found = _VERSION.search(self._output_of([self._command[0], "--version"]))
        return f"LLVM {found[1]}" if found else ""

    @property
    def help(self) -> str:
        """The output of ``--help``, with the arguments of every call; "" if the tool cannot be started."""
        return self._output_of([*self._command, "--help"])

    def _output_of(self, command: list[str]) -> str:
        try:
            return self._done(command, _QUERY_LIMITS, writes=False).printed
        except BackendError:
            return ""

    def begin(self) -> None:
        """Reset a former cancellation."""
        self._cancelled = False

    def run(self, arguments: Sequence[str], limits: Limits) -> Done:
        """Run the tool with an output file in a new folder, the only one that it may write to; not if it is cancelled.

        Raises BackendError if it cannot be started.
        """
        if self._cancelled:
            return Done(-1, "", "", "", timed_out=False, cancelled=True, flooded=False)
        return self._done([*self._command, *arguments], limits, writes=True)

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
            output, problem = None, ""
            try:
                output = folder.read(_OUTPUT, limits.output)
            except ReportError as error:
                problem = str(error)
            return Done(
                code=code,
                output=_module(output),
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
        deadline = time.monotonic() + limits.seconds
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

    def cancel(self) -> None:
        """Kill the process that another thread waits for, and start none before `begin`."""
        self._cancelled = True
        process = self._process
        if process is not None:
            kill_group(process)

    def _started(
        self, command: list[str], folder: WritableFolder, limits: Limits, printed: IO[bytes], errors: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        confinement = Confinement((folder.path,), needed_programs(command[0]))
        streams = {"stdin": subprocess.DEVNULL, "stdout": printed, "stderr": errors}
        try:
            self._process = start_confined(command, confinement, limits, **streams)
        except OSError as error:
            raise BackendError(f"{command[0]} cannot be run: {error.strerror or error}") from error
        return self._process


def _module(output: bytes | None) -> str:
    """Return the text of an output file without the empty line at its end, as bindings print it; "" without a file."""
    return "" if output is None else output.decode("utf-8", "replace").rstrip("\n") + "\n"


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def _text(stream: IO[bytes], most: int) -> str:
    stream.seek(0)
    return stream.read(most).decode("utf-8", "replace")
