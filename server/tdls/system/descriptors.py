"""What is written to file descriptors."""

from __future__ import annotations

import os

_CHUNK = 1 << 20


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`. Raises OSError if nobody reads it."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view[:_CHUNK]) :]
