"""Starts MLIR on generated texts, with limits: for some it takes all the memory that there is, or never ends."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tdls.interpreter.confinement.watch import limiting
from tdls.interpreter.runs.model import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_MEMORY = 3 << 30
"""Bytes; a process that takes more crashes. Enforced on Linux."""


def run_bounded(
    command: Sequence[str], text: bytes, seconds: float, *, folder: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a command with `text` as its input, and return its exit status and output.

    Raises `subprocess.TimeoutExpired`, with the output until then, if that takes longer than `seconds`.
    """
    environment = {**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"}  # the trace of a crash takes longest
    pipe = subprocess.PIPE
    limit = limiting(Limits(seconds=seconds, memory=_MEMORY)) if sys.platform == "linux" else None
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, env=environment, preexec_fn=limit
    ) as process:
        try:
            printed, errors = process.communicate(text, seconds)
        except subprocess.TimeoutExpired as error:
            process.kill()
            error.stdout, _ = process.communicate()
            raise
    return subprocess.CompletedProcess(command, process.returncode, printed, errors)
