"""One set-up of a checkout at a time; nothing is installed before one, `filelock` neither."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_PAUSE = 0.2
"""Seconds between two attempts."""


@contextmanager
def only_one(path: Path, when_waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock file `path`; call `when_waiting` once where another process holds it.

    The system releases the lock at the end of the process, even of one that is killed.
    """
    with path.open("ab") as file:
        if not _try_to_lock(file):
            when_waiting()
            while not _try_to_lock(file):
                time.sleep(_PAUSE)
        yield


def _try_to_lock(file: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
