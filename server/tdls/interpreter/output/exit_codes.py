"""Interprets the exit codes of processes in which MLIR ran."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from tdls.interpreter.confinement.watch import Excess
from tdls.interpreter.runs.model import Status

if TYPE_CHECKING:
    from tdls.interpreter.runs.model import Limits

_MEMORY_SIGNS = ("bad_alloc", "out of memory", "Out of memory", "Allocation failed", "MemoryError")
"""Messages on standard error of processes that run out of memory."""
_NEAR_THE_LIMIT = 0.5
"""Containers double when they grow, so that the failing allocation may be as large as all before it."""


def abnormal_end(code: int, console: str, peak: int, memory: int, output: int) -> tuple[Status, str]:
    """Return status and description for the exit code, as in ``subprocess``, of a process that did not finish.

    `console` is its standard error, `peak` its maximum memory in bytes, 0 if unknown; `memory` and `output` are its
    limits in bytes.
    """
    if code == -getattr(signal, "SIGXFSZ", 0):
        return Status.TOO_MUCH_OUTPUT, too_much_output(output)
    how = code_in_words(code)
    if any(sign in console for sign in _MEMORY_SIGNS):
        return Status.OUT_OF_MEMORY, f"it needed more than {_size(memory)} ({how})"
    if code < 0 and peak > memory * _NEAR_THE_LIMIT:
        return Status.OUT_OF_MEMORY, f"it had {_size(peak)} of {_size(memory)} when it ended ({how})"
    return Status.CRASH, how


def still_running(seconds: float) -> str:
    """Return the description of a run that exceeded its time limit."""
    return f"it was still running after {seconds:g} s"


def too_much_output(limit: int) -> str:
    """Return the description of a run whose output exceeded `limit` bytes."""
    return f"it gave more than {_size(limit)}"


def too_much(excess: Excess, limits: Limits) -> tuple[Status, str]:
    """Return status and description of a run whose processes exceeded a shared limit."""
    if excess is Excess.MEMORY:
        return Status.OUT_OF_MEMORY, f"its processes needed more than {_size(limits.memory)} together"
    return Status.TOO_MUCH_OUTPUT, f"its temporary files had more than {_size(limits.files)} together"


def code_in_words(code: int) -> str:
    """Return the description of a return code as in ``subprocess``."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


def _size(size: int) -> str:
    return f"{size / (1 << 20):.3g} MiB"
