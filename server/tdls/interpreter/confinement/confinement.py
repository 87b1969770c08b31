"""What a process may do to the system, and how a thread confines itself to that.

Reading stays allowed. What holds depends on the system: `Protection` says so, and docs/security.md tells people.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import ModuleType

_PROGRAM = "/usr/bin/sandbox-exec"
_TRIAL = ("/usr/bin/true",)
_TRIAL_SECONDS = 10.0


@cache
def is_available() -> bool:
    """Tell whether programs can be started so; not where tdls itself is confined, which is tried."""
    try:
        done = subprocess.run(
            confined(_TRIAL, ()), stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_TRIAL_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def confined(command: Sequence[str], folders: Iterable[str]) -> list[str]:
    """Return what starts `command` so that it writes below `folders` only, and has no network."""
    return [_PROGRAM, "-p", _profile([str(Path(folder).resolve()) for folder in folders]), *command]


def _profile(folders: Iterable[str]) -> str:
    writable = "".join(f" (subpath {_quoted(folder)})" for folder in folders)
    return (
        "(version 1) (allow default) (deny network*) (deny file-write*) "
        f"(allow file-write* (literal {_quoted(os.devnull)}){writable})"
    )


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


UNCONFINED = "TDLS_UNCONFINED"
"""The environment variable with which somebody lets runs do what they like."""
_DEVICES = (os.devnull,)


class Means(Enum):
    """By what processes are confined."""

    LANDLOCK = "Landlock"
    SEATBELT = "sandbox-exec"
    NOTHING = "nothing"
    WAIVED = f"nothing, as {UNCONFINED} says"


class Protection(NamedTuple):
    """What processes are kept from on this system."""

    means: Means
    version: int = 0
    """Of Landlock's interface; 0 for other means."""
    filters_calls: bool = False
    """True if they cannot open sockets, change limits of others or leave their group of processes; without that,
    Landlock refuses them TCP from version 4 on.
    """

    @property
    def confines(self) -> bool:
        """True if they cannot write to what is not theirs."""
        return self.means in (Means.LANDLOCK, Means.SEATBELT)


@dataclass(frozen=True, slots=True)
class Confinement:
    """A process writes to nothing but what is below `folders`, and starts nothing but `programs`; None are all."""

    folders: tuple[str, ...]
    programs: tuple[str, ...] | None = None

    def confine_thread(self) -> None:
        """Confine this thread, and all that it starts, as far as this system can do that to a thread.

        A thread that is confined already keeps the rights that both confinements leave. Raises OSError.
        """
        if protection().means is not Means.LANDLOCK:
            return
        from tdls.interpreter.confinement import linux

        filters = _call_filter()
        if filters is not None:  # the numbers of system calls are known
            linux.give_up()
        linux.restrict_thread(self.folders, _DEVICES, self.programs)
        if filters is not None:
            filters.reaching_nothing()()


def protection() -> Protection:
    """Return what processes are kept from that are started with a confinement."""
    return Protection(Means.WAIVED) if os.environ.get(UNCONFINED) == "1" else _offered()


@cache
def _offered() -> Protection:
    if sys.platform == "darwin":
        return Protection(Means.SEATBELT if is_available() else Means.NOTHING)
    with contextlib.suppress(ImportError):  # of ctypes, which a Python may lack
        if sys.platform == "linux":
            from tdls.interpreter.confinement import linux

            if version := linux.version():
                return Protection(Means.LANDLOCK, version, _call_filter() is not None)
    return Protection(Means.NOTHING)


def _call_filter() -> ModuleType | None:
    from tdls.interpreter.confinement import linux

    return linux if linux.is_available() else None
