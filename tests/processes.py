"""Looking at processes of this machine; Linux only."""

from __future__ import annotations

import contextlib
from pathlib import Path


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


def is_alive(process: int) -> bool:
    """Tell whether `process` is there and does something."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
