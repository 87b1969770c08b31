"""Puts jobs to worker processes that MLIR may end at any time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from oracle.bounded import run_bounded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TOOLS = Path(__file__).resolve().parents[2]
NOTE: Final = "@"
_BATCH = 200
_TIME_LIMIT = 120.0
"""Seconds for a batch; a script that takes all of them counts as one that crashes."""


class Died(NamedTuple):
    """Stands for the answer to a job that the worker died of; `notes` are its notes before that."""

    notes: list[Any]


def answers(worker: str, jobs: Sequence[Any]) -> Iterator[Any | Died]:
    """Yield the answer of the module `worker` of this package to each of `jobs`, or its way to die of it.

    A worker prints a line of JSON for each job, and before that any number of notes, with `NOTE` in front. Raises
    RuntimeError where it cannot work at all.
    """
    for start in range(0, len(jobs), _BATCH):
        batch = jobs[start : start + _BATCH]
        done = 0
        while done < len(batch):
            for answer in _read(_run(worker, batch[done:]))[: len(batch) - done]:
                done += 1
                yield answer


def _run(worker: str, jobs: Sequence[Any]) -> bytes:
    """Run one worker and return its output: answers to as many jobs as it survives."""
    try:
        command = [sys.executable, "-m", f"oracle.handles.{worker}"]
        done = run_bounded(command, json.dumps(jobs).encode(), _TIME_LIMIT, folder=_TOOLS)
    except subprocess.TimeoutExpired as error:
        return error.stdout or b""
    if not done.stdout and done.returncode == 1:
        raise RuntimeError(f"the bindings cannot be used: {done.stderr.decode('utf-8', 'replace').strip()[-500:]}")
    return done.stdout


def _read(printed: bytes) -> list[Any | Died]:
    """Return the answers, and behind them how the worker died."""
    found: list[Any | Died] = []
    notes: list[Any] = []
    for line in printed.split(b"\n")[:-1]:
        if line.startswith(NOTE.encode()):
            notes.append(json.loads(line.removeprefix(NOTE.encode())))
        else:
            found.append(json.loads(line))
            notes = []
    return [*found, Died(notes)]
