"""Defines the confinement of a process, applies it to threads, and finds the means that this system offers.

Reading stays allowed. The protection depends on the system: see `Protection`, and docs/security.md for users.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PROGRAM = "/usr/bin/sandbox-exec"
_TRIAL = ("/usr/bin/true",)
_TRIAL_SECONDS = 10.0


@cache
def is_available() -> bool:
    """Tell whether sandbox-exec works; not where tdls itself is confined, so this runs a trial."""
    try:
        done = subprocess.run(
            confined(_TRIAL, ()), stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_TRIAL_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def confined(command: Sequence[str], folders: Iterable[str]) -> list[str]:
    """Return a command that runs `command` under sandbox-exec, writing below `folders` only and without network."""
    writable = "".join(f" (subpath {_quoted(str(Path(folder).resolve()))})" for folder in folders)
    profile = (
        "(version 1) (allow default) (deny network*) (deny file-write*) "
        f"(allow file-write* (literal {_quoted(os.devnull)}){writable})"
    )
    return [_PROGRAM, "-p", profile, *command]


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


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
        """Confine this thread and its children, as far as this system can confine threads.

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
