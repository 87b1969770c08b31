"""Measures the growth of time with size, on a machine that runs other programs meanwhile."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_ROUNDS = 8


def grows_at_most(factor: float, small: Callable[[], object], large: Callable[[], object], *, slack: float) -> bool:
    """Whether `large` takes at most `factor` times the processor time of `small`, give or take `slack` seconds.

    Other work only ever adds to a time, so the least of several rounds counts, and one in which it holds is enough.
    A time that grows too fast does so in every round.
    """
    least_small, least_large = float("inf"), float("inf")
    for _ in range(_ROUNDS):
        least_small = min(least_small, _seconds(small))
        least_large = min(least_large, _seconds(large))
        if least_large <= factor * least_small + slack:
            return True
    return False


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
