"""Access to the operating system: descriptors, garbage collection, the user's folder, and programs by name.

Programs and modules are never looked up in the current folder, which may be a stranger's.
"""

from __future__ import annotations

import errno
import gc
import os
import re
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

if TYPE_CHECKING:
    from functools import cached_property
else:

    class _KeptProperty:
        """A `functools.cached_property` without its lock, which until Python 3.12 blocks threads of other objects, too.

        Threads that read the same property at the same time may both compute it; all get the value stored first.
        """

        def __init__(self, function):
            self._function = function
            self.__doc__ = function.__doc__

        def __set_name__(self, owner, name):
            self._name = name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            return instance.__dict__.setdefault(self._name, self._function(instance))

    cached_property = _KeptProperty

__all__ = ["cached_property"]

_CHUNK = 1 << 20


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`. Raises OSError if the reading end is closed."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view[:_CHUNK]) :]


WORKER_ENDED: Final = "the process that looked at this file was ended"
_SHORTAGES: Final = {
    "there is too little memory; `--jobs 1` takes less": (
        r"MemoryError\b",
        errno.ENOMEM,
        r".*\[WinError (?:8|14|1455)\]",
    ),
    "its process was ended, by the system or a crash of Python; where memory is short, `--jobs 1` takes less": (
        WORKER_ENDED,
    ),
    "no more processes or threads can be started; `--jobs 1` starts fewer": (
        r"RuntimeError: can't start new thread",
        errno.EAGAIN,
    ),
    "too many files are open; `ulimit -n` allows more": (errno.EMFILE, errno.ENFILE),
    "the disk is full": (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)),
    "no folder for temporary files can be written; TMPDIR may name one": (
        r".*: \[Errno 2\] No usable temporary directory",
    ),
}
"""What a machine may lack, with advice, and the errors by which Python says so: texts of a traceback, or numbers."""


def shortage_in(trace: str) -> str | None:
    """Return what the machine lacks, with advice, if a traceback ends with an error that says so, else None."""
    error = (trace.strip().splitlines() or [""])[-1]
    for shortage, signs in _SHORTAGES.items():
        patterns = (sign if isinstance(sign, str) else rf"\w+: \[Errno {sign}\]" for sign in signs)
        if any(re.match(pattern, error) for pattern in patterns):
            return shortage
    return None


def readable(descriptors: Iterable[int], seconds: float) -> set[int]:
    """Wait up to `seconds` and return those of `descriptors` that have data to read or are at their end.

    `select.select` accepts no descriptor from 1024 on; the poll selector needs no descriptor of its own.
    """
    import selectors

    with getattr(selectors, "PollSelector", selectors.SelectSelector)() as selector:
        for descriptor in descriptors:
            selector.register(descriptor, selectors.EVENT_READ)
        return {key.fd for key, _ in selector.select(max(0.0, seconds))}


_THRESHOLDS = 5_000, 2, 100
"""Arguments of `gc.set_threshold`: allocations per young collection, and collections until the next generation.

All threads wait during a collection: one of the middle generation takes 5 ms. It took 30 ms with four times as many
allocations between two, and all together took no less.
"""


@contextmanager
def garbage_kept() -> Iterator[None]:
    """Disable garbage collection in the block: work whose many objects live to its end takes a quarter less time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def imported_for_good() -> Iterator[None]:
    """Exclude all objects that exist at the end of the block, such as imported modules, from garbage collection."""
    with garbage_kept():
        yield
        gc.freeze()


def collect_garbage_rarely() -> None:
    """Collect garbage less often than Python does by default: trees are many small objects that live long.

    Checking a file takes about a fifth less time, for a few megabytes of memory.
    """
    gc.set_threshold(*_THRESHOLDS)


DATA_VARIABLE: Final = "TDLS_DATA_DIR"


def data_folder() -> Path | None:
    """Return the folder that TDLS_DATA_DIR names, else the user's folder for the data of tdls, or None without one."""
    named = os.environ.get(DATA_VARIABLE) or xdg_folder("XDG_DATA_HOME", "~/.local/share")
    if not named:
        import platformdirs

        try:
            named = platformdirs.user_data_dir("tdls", appauthor=False)
        except (OSError, RuntimeError):
            return None
    return Path(named) if Path(named).is_absolute() else None


def xdg_folder(variable: str, otherwise: str) -> str | None:
    """Return the folder of tdls in a folder of the user, by the rules of Linux, or None where a system has other rules.

    The result is that of platformdirs, whose import takes as long as a start of Python.
    """
    if sys.platform != "linux" or "ANDROID_ROOT" in os.environ:
        return None
    named = Path(os.environ.get(variable, ""))
    with suppress(RuntimeError):
        folder = named if named.is_absolute() else Path(otherwise).expanduser()
        return str(folder / "tdls") if folder.is_absolute() else None
    return None


def search_folders() -> list[Path]:
    """Return the absolute folders of the search path; relative ones depend on the current folder and are left out."""
    return [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if Path(folder).is_absolute()]


def find_program(name: str) -> str | None:
    """Return the path of the program `name` on the search path, or at its given path if `name` has a folder."""
    import shutil

    if Path(name).name != name:
        return shutil.which(name)
    found = (shutil.which(str(folder / spelling)) for folder in search_folders() for spelling in _spellings(name))
    return next(filter(None, found), None)


def _spellings(name: str) -> list[str]:
    """Return the possible file names of the program `name`: on Windows, the ending may be omitted."""
    endings = os.environ.get("PATHEXT", "").split(os.pathsep) if sys.platform == "win32" else []
    return [name, *(f"{name}{ending}" for ending in endings if ending)]
