"""Commands that a set-up and the checks run, and the lines printed between them."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def say(text: str) -> None:
    """Print a line of our own, ahead of the commands' output."""
    print(f"\n== {text}", flush=True)


def run(command: list[str], environment: dict[str, str] | None = None) -> int:
    """Run `command` in the checkout, printing it first, and return its exit status."""
    say(" ".join(command))
    try:
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    except OSError as error:
        say(f"cannot run {command[0]}: {error}")
        return 127


def timed(command: list[str], environment: dict[str, str] | None = None) -> tuple[int, float]:
    """Run `command` and return its exit status and the seconds it took."""
    started = time.monotonic()
    return run(command, environment), time.monotonic() - started


def answer(command: list[str]) -> str | None:
    """Return the output of `command`, None if it cannot be run or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
