"""Runs a tool like ``mlir-opt`` within limits."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING

from tdls.interpreter.backends import BackendError
from tdls.interpreter.limits import limit_other_process

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.interpreter.model import Limits

_VERSION = re.compile(r"LLVM version (\S+)")
_VERSION_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Done:
    """How a tool ended, what it wrote to its output file, and what it printed; `code` is as in `subprocess`."""

    code: int
    output: str
    printed: str
    errors: str
    timed_out: bool
    cancelled: bool


class Tool:
    """A program with the arguments that it always gets; runs one process at a time."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._cancelled = False

    @cached_property
    def version(self) -> str:
        """The version that the tool says it has, "" if it says none."""
        try:
            done = subprocess.run(
                [self._command[0], "--version"], capture_output=True, check=False, timeout=_VERSION_SECONDS
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        found = _VERSION.search(done.stdout.decode("utf-8", "replace"))
        return f"LLVM {found[1]}" if found else ""

    def begin(self) -> None:
        """Forget that something was cancelled."""
        self._cancelled = False

    def run(self, arguments: Sequence[str], output: str, limits: Limits) -> Done:
        """Run it and let it write to the path `output`; not once it is cancelled.

        Raises BackendError if it cannot be started.
        """
        if self._cancelled:
            return Done(-1, "", "", "", timed_out=False, cancelled=True)
        Path(output).unlink(missing_ok=True)
        with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as errors:
            timed_out = False
            process = self._started([*self._command, *arguments, "-o", output], limits, printed, errors)
            try:
                process.wait(limits.seconds)
            except subprocess.TimeoutExpired:
                timed_out = True
            finally:
                self._kill(process)
                self._process = None
            return Done(
                code=process.wait(),
                output=_module_in(Path(output)),
                printed=_text(printed),
                errors=_text(errors),
                timed_out=timed_out,
                cancelled=self._cancelled,
            )

    def cancel(self) -> None:
        """Kill the process that another thread waits for, and start no more before `begin`."""
        self._cancelled = True
        process = self._process
        if process is not None:
            self._kill(process)

    def _started(
        self, command: list[str], limits: Limits, printed: IO[bytes], errors: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=printed, stderr=errors, start_new_session=True
            )
        except OSError as error:
            raise BackendError(f"{command[0]} cannot be run: {error.strerror or error}") from error
        limit_other_process(self._process.pid, limits.memory, limits.output)
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


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")
