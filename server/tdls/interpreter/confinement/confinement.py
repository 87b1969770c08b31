"""What a process may do to the system, and how a thread confines itself to that.

Reading stays allowed. What holds depends on the system: `Protection` says so, and docs/security.md tells people.
"""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from types import ModuleType

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
        from tdls.interpreter.confinement import landlock, privileges

        filters = _call_filter()
        if filters is not None:  # the numbers of system calls are known
            privileges.give_up()
        landlock.restrict_thread(self.folders, _DEVICES, self.programs)
        if filters is not None:
            filters.reaching_nothing()()


def protection() -> Protection:
    """Return what processes are kept from that are started with a confinement."""
    return Protection(Means.WAIVED) if os.environ.get(UNCONFINED) == "1" else _offered()


@cache
def _offered() -> Protection:
    if sys.platform == "darwin":
        from tdls.interpreter.confinement import seatbelt

        return Protection(Means.SEATBELT if seatbelt.is_available() else Means.NOTHING)
    with contextlib.suppress(ImportError):  # of ctypes, which a Python may lack
        if sys.platform == "linux":
            from tdls.interpreter.confinement import landlock

            if version := landlock.version():
                return Protection(Means.LANDLOCK, version, _call_filter() is not None)
    return Protection(Means.NOTHING)


def _call_filter() -> ModuleType | None:
    from tdls.interpreter.confinement import call_filter

    return call_filter if call_filter.is_available() else None
