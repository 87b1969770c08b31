"""Writing to file descriptors, and waiting for them."""

from __future__ import annotations

import os
import selectors
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_CHUNK = 1 << 20
_Selector: Final[type[selectors.BaseSelector]] = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""One that takes no descriptor itself, where the system has it."""


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`. Raises OSError if nobody reads it."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view[:_CHUNK]) :]


def readable(descriptors: Iterable[int], seconds: float) -> set[int]:
    """Return those of `descriptors` that have something to be read or have come to their end, within `seconds`.

    `select.select` would take no descriptor from 1024 on.
    """
    with _Selector() as selector:
        for descriptor in descriptors:
            selector.register(descriptor, selectors.EVENT_READ)
        return {key.fd for key, _ in selector.select(max(0.0, seconds))}
