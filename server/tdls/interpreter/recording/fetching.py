"""Fetches states ahead of the people who may look at them next, while nobody asks for anything."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from tdls.interpreter.recording.records import Urgency

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_NEAR = 8
"""So many states on both sides of the last one that was asked for come first."""
_AT_ONCE = 32
_PAUSE = 0.05
"""Seconds between attempts while somebody asks."""
_ATTEMPTS = 40
"""So often nothing may come in a row."""


class FetchingAhead:
    """A thread that fetches what is not known, near the last state that was asked for first."""

    def __init__(self, unknown: Callable[[], Sequence[int]], fetch: Callable[[Sequence[int], Urgency], bool]) -> None:
        """`unknown` returns passings that may be fetched, in their order, () once it is over for good.

        `fetch` fetches some of them, which follow each other, and returns False where it was not let do that now.
        """
        self._unknown = unknown
        self._fetch = fetch
        self._around = 0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="tdls-states", daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """True if it fetches nothing any more."""
        return not self._thread.is_alive()

    def look_at(self, passing: int) -> None:
        """Fetch the neighbours of `passing` next."""
        self._around = passing

    def end(self) -> None:
        """Fetch no more. It may go on for as long as it takes to fetch one state."""
        self._is_over.set()

    def wait(self, seconds: float) -> bool:
        """Wait until there is nothing more to fetch, and tell whether that was in time."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _work(self) -> None:
        failures = 0
        while not self._is_over.is_set() and failures < _ATTEMPTS:
            passings, urgency = _next(self._unknown(), self._around)
            if not passings:
                return
            if self._fetch(passings, urgency):
                failures = 0
            else:
                failures += 1
                self._is_over.wait(_PAUSE)


def _next(unknown: Sequence[int], around: int) -> tuple[list[int], Urgency]:
    """Return what of `unknown` to fetch at once for somebody who is at `around`, and how soon it may be needed."""
    near = [passing for passing in unknown if around - _NEAR <= passing <= around + _NEAR]
    if near:
        return near, Urgency.SOON
    ahead = [passing for passing in unknown if passing >= around]
    return (ahead or list(unknown))[:_AT_ONCE], Urgency.SOMETIME
