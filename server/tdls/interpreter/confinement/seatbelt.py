"""``sandbox-exec``, by which macOS starts a program that is confined."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
