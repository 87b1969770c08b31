"""Counts the lines of Python code that a call executes: the same on each machine and in each run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType


def steps(work: Callable[[], object], most: int = 20_000_000) -> int:
    """Return how many lines of Python `work` executes in this thread.

    Raises `RuntimeError` once these are more than `most`: exponential work would not end.
    """
    count = 0

    def trace(_: FrameType, event: str, __: object) -> Any:
        nonlocal count
        if event == "line":
            count += 1
            if count > most:
                message = f"more than {most:,} steps"
                raise RuntimeError(message)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
