"""The time that this process is at work."""

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
