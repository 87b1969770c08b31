"""Asks MLIR's own parser for its verdict on types and attributes, in a process that may crash."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tools_at_hand import require_bindings

CRASHED = "MLIR crashed"
_WORKER = Path(__file__).with_name("judge_worker.py")


@dataclass(frozen=True)
class Verdict:
    """MLIR's verdict: `message` is its error, None if it accepted the text."""

    message: str | None

    @property
    def accepted(self) -> bool:
        return self.message is None

    @property
    def crashed(self) -> bool:
        return self.message == CRASHED


@lru_cache(maxsize=1)
def judge() -> Judge:
    """Return the one judge of this process; skips the test where there are no bindings."""
    require_bindings()
    return Judge()


class Judge:
    """A process with MLIR in it, replaced whenever it dies."""

    def __init__(self) -> None:
        self._worker = self._start()

    def verdict(self, kind: str, text: str) -> Verdict:
        """Return MLIR's verdict on `text` as a `kind`: ``type``, ``attribute``, ``location`` or ``module``."""
        assert self._worker.stdin is not None
        assert self._worker.stdout is not None
        self._worker.stdin.write(json.dumps([kind, text]) + "\n")
        self._worker.stdin.flush()
        answer = self._worker.stdout.readline()
        if not answer:
            self._worker.wait()
            self._worker = self._start()
            return Verdict(CRASHED)
        return Verdict(json.loads(answer))

    @staticmethod
    def _start() -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(_WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
