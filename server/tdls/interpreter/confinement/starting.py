"""Starts confined programs, with a reduced environment and limits."""

from __future__ import annotations

import contextlib
import os
import re
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from tdls.interpreter.confinement.confinement import UNCONFINED, Means, confined, protection
from tdls.interpreter.confinement.ends import ending_with_thread
from tdls.interpreter.confinement.limits import limiting, within_processor_time

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.interpreter.confinement.confinement import Confinement
    from tdls.interpreter.model import Limits

PASSED: Final = (
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "LOCALE_ARCHIVE",
    "TZ",
    "PYTHONPATH",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "NIX_LD",
    "NIX_LD_LIBRARY_PATH",
    "ASAN_OPTIONS",
    "LSAN_OPTIONS",
    "MSAN_OPTIONS",
    "TSAN_OPTIONS",
    "UBSAN_OPTIONS",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
    UNCONFINED,
)
"""Variables that are passed on if set; ``*`` stands for any rest."""
MORE: Final = "TDLS_PASS_ENVIRONMENT"
"""The variable that lists further names, separated by commas."""
TEMPORARY: Final = ("TMPDIR", "TMP", "TEMP")
"""Variables with the folder for temporary files."""
_NAMES = re.compile("|".join(re.escape(name).replace(r"\*", ".*") for name in PASSED))


def reduced_environment(folder: str) -> dict[str, str]:
    """Return the environment of a process that runs scripts; `folder` is its temporary folder."""
    named = {name.strip() for name in os.environ.get(MORE, "").split(",")}
    passed = {name: value for name, value in os.environ.items() if _NAMES.fullmatch(name) or name in named}
    return {**passed, **dict.fromkeys(TEMPORARY, folder)}


_MAGIC = b"\x7fELF"
_ORDERS = {1: "<", 2: ">"}
_HEAD_SIZE = 64
_CLASS_64 = 2
_INTERPRETER = 3
_MOST_HEADERS = 256
_LONGEST_PATH = 4096


def needed_programs(program: str) -> tuple[str, ...] | None:
    """Return `program` and its ELF loader; None for scripts, which may start any program.

    Linux only: other systems have other file formats.
    """
    try:
        with Path(program).open("rb") as file:
            loader = _loader(file)
    except (OSError, ValueError, struct.error):
        return None
    return (program, loader) if loader else (program,)


def _loader(file: IO[bytes]) -> str:
    """Return the loader of an ELF file, "" without one. Raises ValueError for other files."""
    head = file.read(_HEAD_SIZE)
    if len(head) < _HEAD_SIZE or head[:4] != _MAGIC or head[5] not in _ORDERS:
        raise ValueError("this is not an ELF file")
    order, is_64 = _ORDERS[head[5]], head[4] == _CLASS_64
    (start,) = struct.unpack_from(f"{order}{'Q' if is_64 else 'I'}", head, 32 if is_64 else 28)
    size, count = struct.unpack_from(f"{order}HH", head, 54 if is_64 else 42)
    for number in range(min(count, _MOST_HEADERS)):
        file.seek(start + number * size)
        header = file.read(size)
        (kind,) = struct.unpack_from(f"{order}I", header)
        if kind == _INTERPRETER:
            place, length = _extent(header, order, is_64)
            file.seek(place)
            return file.read(min(length, _LONGEST_PATH)).rstrip(b"\0").decode("utf-8", "surrogateescape")
    return ""


def _extent(header: bytes, order: str, is_64: bool) -> tuple[int, int]:
    """Return offset and size in bytes of a program header's segment in the file."""
    if is_64:
        place, _, _, size = struct.unpack_from(f"{order}4Q", header, 8)
    else:
        place, _, _, size = struct.unpack_from(f"{order}4I", header, 4)
    return place, size


def start_confined(
    command: Sequence[str], confinement: Confinement, limits: Limits | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Start `command` confined and with a reduced environment, which its children inherit.

    It leads a process group. The first writable folder is its temporary folder; `limits` apply to each process,
    `options` are those of `subprocess.Popen`. On Linux it stays in its group with all its children, and is killed
    whenever this process ends. Raises OSError.
    """
    if protection().means is Means.SEATBELT:
        command = confined(command, confinement.folders)
    options = {"start_new_session": True, **options, "env": reduced_environment(confinement.folders[0])}
    if sys.platform != "linux":
        if limits is not None and sys.platform != "win32":
            command = within_processor_time(command, limits.seconds)
        return subprocess.Popen(command, **options)
    starter = _Starter(command, confinement, {**options, "preexec_fn": _preparing(limits)})
    starter.start()
    return starter.process()


def _preparing(limits: Limits | None) -> Callable[[], None]:
    """Return the function for a new process before exec."""
    steps = [limiting(limits)] if limits is not None else []
    end_with_thread = ending_with_thread()
    if end_with_thread is not None:
        steps.append(end_with_thread)
    if protection().filters_calls:
        from tdls.interpreter.confinement import calls

        steps.append(calls.staying_in_group())

    def prepare() -> None:
        for step in steps:
            step()

    return prepare


class _Starter(threading.Thread):
    """A thread that confines itself and starts a program, which inherits the confinement.

    It lives as long as the program, which is killed when the thread ends. The calling thread remains unconfined.
    """

    def __init__(self, command: Sequence[str], confinement: Confinement, options: dict[str, Any]) -> None:
        super().__init__(name="tdls-starter", daemon=True)
        self._command = command
        self._confinement = confinement
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self._problem: BaseException | None = None
        self._is_started = threading.Event()

    def run(self) -> None:
        """Run the thread."""
        try:
            self._confinement.confine_thread()
            self._process = subprocess.Popen(self._command, **self._options)
        except BaseException as error:
            self._problem = error
        finally:
            self._is_started.set()
        if self._process is not None:
            _wait_without_asking(self._process.pid)

    def process(self) -> subprocess.Popen[bytes]:
        """Return the started process; if the wait is interrupted, end the process. Raises the error of the start."""
        try:
            self._is_started.wait()
        except BaseException:
            self._is_started.wait()
            if self._process is not None:
                self._process.kill()
                self._process.wait()
            raise
        if self._process is None:
            raise self._problem or OSError("nothing was started")
        return self._process


def _wait_without_asking(process: int) -> None:
    """Wait for the end of a process without reaping it, so that others get its exit status."""
    if sys.platform == "linux":
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
