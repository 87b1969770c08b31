"""Confines processes: where they may write, their network access and environment, and how they start.

Reading stays allowed. The protection depends on the system: see `Protection`, and docs/security.md for users.
"""

from __future__ import annotations

import contextlib
import os
import re
import struct
import subprocess
import sys
import tempfile
import threading
from enum import Enum
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from tdls.files.boundary import real_path
from tdls.interpreter.confinement.watch import ending_with_thread, limiting, within_processor_time
from tdls.structs import NamedTuple, Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.interpreter.runs.model import Limits

UNCONFINED = "TDLS_UNCONFINED"
"""The environment variable with which the user turns the confinement off."""
_DEVICES = (os.devnull,)


class Means(Enum):
    """The system's means of confinement."""

    LANDLOCK = "Landlock"
    SEATBELT = "sandbox-exec"
    NOTHING = "nothing"
    WAIVED = f"nothing, as {UNCONFINED} says"


class Protection(NamedTuple):
    """The restrictions on confined processes on this system."""

    means: Means
    version: int = 0
    """Of Landlock's ABI; 0 for other means."""
    filters_calls: bool = False
    """True if they have listed system calls only, and cannot leave their process group; without that, Landlock refuses
    them TCP from version 4 on.
    """

    @property
    def confines(self) -> bool:
        """True if they cannot write outside their folders."""
        return self.means in (Means.LANDLOCK, Means.SEATBELT)


class Confinement(Struct, frozen=True):
    """Allows writing only below `folders`, and starting only `programs`; None allows all programs."""

    folders: tuple[str, ...]
    programs: tuple[str, ...] | None = None

    def confine_thread(self) -> None:
        """Confine this thread and its children, where this system can confine threads.

        In a confined thread the rights that both confinements grant remain. Raises OSError.
        """
        if protection().means is not Means.LANDLOCK:
            return
        from tdls.interpreter.confinement import calls, linux

        linux.give_up_capabilities()
        linux.restrict_thread(self.folders, _DEVICES, self.programs)
        if protection().filters_calls:
            calls.allowing_listed_calls()()


def protection() -> Protection:
    """Return the restrictions on processes that are started with a confinement."""
    return Protection(Means.WAIVED) if os.environ.get(UNCONFINED) == "1" else _offered()


@cache
def _offered() -> Protection:
    if sys.platform == "darwin":
        return Protection(Means.SEATBELT if is_available() else Means.NOTHING)
    with contextlib.suppress(ImportError):  # some Pythons have no ctypes
        if sys.platform == "linux":
            from tdls.interpreter.confinement import calls, linux

            if version := linux.version():
                return Protection(Means.LANDLOCK, version, calls.is_available())
    return Protection(Means.NOTHING)


_PROGRAM = "/usr/bin/sandbox-exec"
_TRIAL = ("/usr/bin/true",)
_TRIAL_SECONDS = 20.0


@cache
def is_available() -> bool:
    """Whether sandbox-exec works; not where tdls itself is confined, so this runs a trial."""
    try:
        done = subprocess.run(
            confined(_TRIAL, ()), stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_TRIAL_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def confined(command: Sequence[str], folders: Iterable[str]) -> list[str]:
    """Return a command that runs `command` under sandbox-exec, writing below `folders` only and without network."""
    writable = "".join(f" (subpath {_quoted(str(real_path(folder)))})" for folder in folders)
    profile = (
        "(version 1) (allow default) (deny network*) (deny file-write*) "
        f"(allow file-write* (literal {_quoted(os.devnull)}){writable})"
    )
    return [_PROGRAM, "-p", profile, *command]


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


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
    if "PYTHONPATH" in passed:  # the process may start in another folder than the user's
        passed["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, passed["PYTHONPATH"].split(os.pathsep)))
    return {**passed, **dict.fromkeys(TEMPORARY, folder)}


_MAGIC = b"\x7fELF"
_ORDERS = {1: "<", 2: ">"}
_HEAD_SIZE = 64
_CLASS_64 = 2
_INTERPRETER = 3
_MOST_HEADERS = 256
_LONGEST_PATH = 4096


def needed_programs(program: str) -> tuple[str, ...] | None:
    """Return `program` and its ELF loader, or None for scripts, which may start any program.

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
            words, offset = ("4Q", 8) if is_64 else ("4I", 4)
            place, _, _, length = struct.unpack_from(f"{order}{words}", header, offset)
            file.seek(place)
            return file.read(min(length, _LONGEST_PATH)).rstrip(b"\0").decode("utf-8", "surrogateescape")
    return ""


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
    return _started_by_thread(command, confinement, {**options, "preexec_fn": _preparing(limits)})


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


_ABANDONING = 1.0
"""Seconds to wait for the start of a program that is no longer wanted."""


def _started_by_thread(
    command: Sequence[str], confinement: Confinement, options: dict[str, Any]
) -> subprocess.Popen[bytes]:
    """Start a program in a thread that confines itself first, since programs inherit the confinement.

    The thread lives as long as the program, which is killed when the thread ends. The calling thread remains
    unconfined. If its wait is interrupted, the program is ended, by the thread if it takes long to start: it may wait
    for a lock that the interrupted code holds.
    """
    outcome: list[subprocess.Popen[bytes] | BaseException] = []
    is_started, is_abandoned = threading.Event(), threading.Event()

    def start() -> None:
        try:
            confinement.confine_thread()
            outcome.append(subprocess.Popen(command, **options))
        except BaseException as error:
            outcome.append(error)
        finally:
            is_started.set()
        if is_abandoned.is_set():
            _kill(outcome)
        if sys.platform == "linux" and isinstance(outcome[0], subprocess.Popen):
            with contextlib.suppress(ChildProcessError):  # others get its exit status
                os.waitid(os.P_PID, outcome[0].pid, os.WEXITED | os.WNOWAIT)

    threading.Thread(target=start, name="tdls-starter", daemon=True).start()
    try:
        is_started.wait()
    except BaseException:
        is_abandoned.set()
        if is_started.wait(_ABANDONING):
            _kill(outcome)
        raise
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]


def _kill(outcome: list[subprocess.Popen[bytes] | BaseException]) -> None:
    for process in outcome:
        if isinstance(process, subprocess.Popen):
            process.kill()
            process.wait()


_WRITES, _CONNECTS, _STARTS = 1, 2, 4
_CODE = f"""
import socket, subprocess, sys
done = 0
for bit, attempt in (
    ({_WRITES}, lambda: open(sys.argv[1], "w").close()),
    ({_CONNECTS}, lambda: socket.create_connection(tuple(sys.argv[2].split(" ")), 5).close()),
    ({_STARTS}, lambda: subprocess.run(sys.argv[3], stdout=subprocess.DEVNULL)),
):
    try:
        attempt()
        done |= bit
    except OSError:
        pass
sys.exit(done)
"""
_OTHER_PROGRAM = "/bin/sh"


class Tried(NamedTuple):
    """The forbidden operations that succeeded in a confined process; all of them where no trial is possible."""

    can_write: bool
    can_connect: bool
    can_start: bool


def tried_confinement() -> Tried:
    """Start a process, confined like tools, that tries forbidden operations."""
    import socket

    with (
        tempfile.TemporaryDirectory(prefix="tdls-", ignore_cleanup_errors=True) as own,
        tempfile.TemporaryDirectory(prefix="tdls-", ignore_cleanup_errors=True) as other,
        socket.create_server(("127.0.0.1", 0)) as listener,
    ):
        address = " ".join(map(str, listener.getsockname()))
        targets = [str(Path(other, "file")), address, _OTHER_PROGRAM]
        confinement = Confinement((own,), needed_programs(sys.executable))
        command = [sys.executable, "-I", "-S", "-c", _CODE, *targets]
        try:
            process = start_confined(command, confinement, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except OSError:
            return Tried(can_write=True, can_connect=True, can_start=True)
        with process:
            try:
                code = process.wait(_TRIAL_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                code = _WRITES | _CONNECTS | _STARTS
    return Tried(bool(code & _WRITES), bool(code & _CONNECTS), bool(code & _STARTS))
