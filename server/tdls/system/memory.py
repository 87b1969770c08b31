"""How often Python looks for garbage."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_THRESHOLDS = 20_000, 2, 25
"""Allocations until young objects are looked at, and how often that happens until older ones are (`gc`).

Everybody waits meanwhile, threads as well: a look at objects of the middle age takes 20 ms; it took 90 ms at every
tenth look at young ones.
"""


@contextmanager
def garbage_kept() -> Iterator[None]:
    """Look for no garbage meanwhile: for work whose many objects live until it is done, in perhaps half the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def imported_for_good() -> Iterator[None]:
    """Never look for garbage in what is imported meanwhile, nor in what was there before: it stays."""
    with garbage_kept():
        yield
        gc.freeze()


def collect_garbage_rarely() -> None:
    """Look for garbage less often than Python does by itself: trees are many small objects that live long.

    Checking a file takes about a fifth less time, for a few megabytes.
    """
    gc.set_threshold(*_THRESHOLDS)
