"""Looking at processes of this machine; Linux only."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from rpc.answers import eventually

_ENDING = 10.0
"""Seconds in which helpers of Python may end behind the process that they help."""


def descendants(process: int) -> list[int]:
    """Return the processes that `process` and those that it started have started."""
    mine: list[int] = []
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            mine += map(int, children.read_text(encoding="ascii").split())
    return [*mine, *(process for child in mine for process in descendants(child))]


def command_of(process: int) -> str:
    """Return how `process` was started, "" if it is gone."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def leftovers(folder: Path) -> list[str]:
    """Return, in words, what stays of a command that had `folder` for its temporary files: files, and processes."""
    found: list[str] = []

    def is_over() -> bool:
        found[:] = [f"the file {path.name}" for path in sorted(folder.iterdir())]
        for environment in Path("/proc").glob("[0-9]*/environ"):
            process = int(environment.parent.name)
            with contextlib.suppress(OSError):
                if os.fsencode(folder) in environment.read_bytes() and is_alive(process):
                    found.append(f"the process {command_of(process)}")
        return not found

    eventually(is_over, _ENDING)
    return found


def processor_time(process: int) -> float:
    """Return the seconds of `process` and of those of its children that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def is_alive(process: int) -> bool:
    """Whether `process` is there and does something."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
