"""Runs a tool like ``mlir-opt`` within limits."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING

from tdls.interpreter.confinement.confinement import Confinement
from tdls.interpreter.confinement.ends import within_processor_time
from tdls.interpreter.confinement.programs import needed_programs
from tdls.interpreter.confinement.starting import start_confined
from tdls.interpreter.jobs.backend import BackendError
from tdls.interpreter.model import Limits
from tdls.interpreter.worker.limits import limit_other_process

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_VERSION = re.compile(r"LLVM version (\S+)")
_SAID_LIMITS = Limits(output=4 << 20)
_LOOK_SECONDS = 0.25
"""How often it is looked at how much was written."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a tool ended, what it wrote to its output file, and what it printed; `code` is as in `subprocess`."""

    code: int
    output: str
    printed: str
    errors: str
    timed_out: bool
    cancelled: bool
    flooded: bool
    """True if it was ended since it wrote too much."""


class Tool:
    """A program with the arguments that it always gets; runs one process at a time."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._cancelled = False

    @cached_property
    def version(self) -> str:
        """The version that the tool says it has, "" if it says none."""
        found = _VERSION.search(self._said([self._command[0], "--version"]))
        return f"LLVM {found[1]}" if found else ""

    @property
    def help(self) -> str:
        """What the tool prints for ``--help``, with the arguments that it always gets; "" if it cannot be started."""
        return self._said([*self._command, "--help"])

    def _said(self, command: list[str]) -> str:
        try:
            with tempfile.TemporaryDirectory(prefix="tdls-", ignore_cleanup_errors=True) as folder:
                return self._done(command, Path(folder, "output"), _SAID_LIMITS).printed
        except BackendError:
            return ""

    def begin(self) -> None:
        """Forget that something was cancelled."""
        self._cancelled = False

    def run(self, arguments: Sequence[str], output: str, limits: Limits) -> Done:
        """Run it and let it write to the path `output`; not once it is cancelled.

        The folder of that path is all that it may write to. Raises BackendError if it cannot be started.
        """
        if self._cancelled:
            return Done(-1, "", "", "", timed_out=False, cancelled=True, flooded=False)
        Path(output).unlink(missing_ok=True)
        return self._done([*self._command, *arguments, "-o", output], Path(output), limits)

    def _done(self, command: list[str], output: Path, limits: Limits) -> Done:
        with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as errors:
            process = self._started(command, output.parent, limits, printed, errors)
            try:
                flooded = any(size > limits.output for size in self._sizes(process, limits, [printed, errors], output))
                timed_out = not flooded and process.poll() is None
            finally:
                self._kill(process)
                self._process = None
            return Done(
                code=process.wait(),
                output=_module_in(output) if _size(output) <= limits.output else "",
                printed=_text(printed, limits.output),
                errors=_text(errors, limits.output),
                timed_out=timed_out,
                cancelled=self._cancelled,
                flooded=flooded,
            )

    @staticmethod
    def _sizes(
        process: subprocess.Popen[bytes], limits: Limits, streams: list[IO[bytes]], output: Path
    ) -> Iterator[int]:
        """Yield how many bytes are in the largest of its files, again and again until it ends or its time is up."""
        deadline = time.monotonic() + limits.seconds
        while (remaining := deadline - time.monotonic()) > 0 and not _has_ended(process, min(remaining, _LOOK_SECONDS)):
            yield max(_size(output), *(os.fstat(stream.fileno()).st_size for stream in streams))

    def cancel(self) -> None:
        """Kill the process that another thread waits for, and start no more before `begin`."""
        self._cancelled = True
        process = self._process
        if process is not None:
            self._kill(process)

    def _started(
        self, command: list[str], folder: Path, limits: Limits, printed: IO[bytes], errors: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        confinement = Confinement((str(folder),), needed_programs(command[0]))
        if sys.platform not in ("linux", "win32"):
            command = within_processor_time(command, limits.seconds)
        streams = {"stdin": subprocess.DEVNULL, "stdout": printed, "stderr": errors}
        try:
            self._process = start_confined(command, confinement, **streams, start_new_session=True)
        except OSError as error:
            raise BackendError(f"{command[0]} cannot be run: {error.strerror or error}") from error
        limit_other_process(self._process.pid, limits)
        return self._process

    @staticmethod
    def _kill(process: subprocess.Popen[bytes]) -> None:
        """Kill `process` and what it may have started, unless it has ended."""
        if process.poll() is not None:
            return
        if sys.platform == "win32":
            process.kill()
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _module_in(path: Path) -> str:
    """Return the text of a file, as bindings print it, without the empty line at its end; "" if there is no file."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").rstrip("\n") + "\n"
    except FileNotFoundError:
        return ""


def _has_ended(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait for the end of `process` for some seconds, and tell whether it has come."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    return process.poll() is not None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _text(stream: IO[bytes], most: int) -> str:
    stream.seek(0)
    return stream.read(most).decode("utf-8", "replace")
