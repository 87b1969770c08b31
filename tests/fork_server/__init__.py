"""``tdls`` in processes that are forked from one that has imported everything, which saves the time of a start.

Each is a process of its own all the same, with its own folder, variables, streams and exit status. Tests of how
tdls starts, of signals, and of processes by number start it as people do.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Final

STARTED: Final = (sys.executable, "-m", "tdls")
"""The command of a usual start."""
_TESTS: Final = Path(__file__).resolve().parents[1]
_LAUNCHER: Final = Path(__file__).with_name("launcher.py")
SET_BY_CONTAINERS: Final = ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE")
"""Without them the tested programs write as for people, and their modules are compiled once."""
_VARIABLES: Final = {name: value for name, value in os.environ.items() if name not in SET_BY_CONTAINERS}
"""As they are before any test changes them."""


@lru_cache(maxsize=1)
def tdls_command() -> tuple[str, ...]:
    """Return the words of ``tdls`` in a command; the fork server ends with the calling process."""
    if not hasattr(os, "fork"):
        return STARTED
    folder = tempfile.TemporaryDirectory(prefix="tdls-fork-")
    socket = str(Path(folder.name, "socket"))
    server = subprocess.Popen(
        [sys.executable, "-m", "fork_server.server", socket],
        cwd=_TESTS,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        env={**_VARIABLES, "PYTHONUTF8": "1"},
    )
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    _KEPT.extend((folder, server))
    return (sys.executable, "-I", "-S", str(_LAUNCHER), socket)


def code_command(code: str) -> tuple[str, ...]:
    """Return the words of ``python -c CODE`` with all of tdls imported already."""
    command = tdls_command()
    return (*(command if command != STARTED else command[:1]), "-c", code)


_KEPT: Final[list[object]] = []
"""The server's folder and its standard input, whose end is the server's."""
