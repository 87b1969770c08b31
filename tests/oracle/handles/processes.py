"""Puts jobs to worker processes that MLIR may end at any time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TESTS = Path(__file__).resolve().parents[2]
_BATCH = 200
_TIME_LIMIT = 120.0
"""Seconds for a batch; a script that takes all of them counts as one that crashes."""


def answers(worker: str, jobs: Sequence[Any]) -> Iterator[Any | None]:
    """Yield what the module `worker` of this package answers to each of `jobs`, None where it died of it.

    Raises RuntimeError where it cannot work at all.
    """
    for start in range(0, len(jobs), _BATCH):
        batch = jobs[start : start + _BATCH]
        done = 0
        while done < len(batch):
            for answer in _run(worker, batch[done:]):
                done += 1
                yield answer
            if done < len(batch):
                done += 1
                yield None


def _run(worker: str, jobs: Sequence[Any]) -> list[Any]:
    """Run one worker; it answers as many jobs as it survives."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", f"oracle.handles.{worker}"],
            input=json.dumps(jobs).encode(),
            capture_output=True,
            check=False,
            cwd=_TESTS,
            timeout=_TIME_LIMIT,
            env={**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"},
        )
    except subprocess.TimeoutExpired as error:
        return _complete_lines(error.stdout or b"")
    if not done.stdout and done.returncode == 1:
        raise RuntimeError(f"the bindings cannot be used: {done.stderr.decode('utf-8', 'replace').strip()[-500:]}")
    return _complete_lines(done.stdout)


def _complete_lines(printed: bytes) -> list[Any]:
    return [json.loads(line) for line in printed.split(b"\n")[:-1]]
