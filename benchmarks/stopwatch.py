"""Measures processor time of this process, and wall time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def processor_seconds(action: Callable[[], object]) -> float:
    """Do something and return the processor seconds for that."""
    began = time.process_time()
    action()
    return time.process_time() - began


def seconds(action: Callable[[], object]) -> float:
    """Do something and return the seconds that pass meanwhile."""
    began = time.perf_counter()
    action()
    return time.perf_counter() - began
