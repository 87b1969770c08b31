"""A line on the terminal that says what is being done, where that takes long.

It stands on standard error, if that is a terminal, from `begin` to `end`. What else is said there goes before it.
"""

from __future__ import annotations

import shutil
import sys
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_Item = TypeVar("_Item")
_PATIENCE = 0.3
"""Seconds that may pass without a line."""
_INTERVAL = 0.1
"""Seconds between two looks at what is being done."""


def begin(doing: str) -> None:
    """Say what is being done, once that takes long, in a line that stays until `end`."""
    if _Process.line is None and sys.stderr.isatty():
        _Process.line = _StatusLine(doing)


def say(doing: str, done: int = 0, count: int = 0) -> None:
    """Say what is being done from here on, if anybody is shown that, and how much of how much is done."""
    if _Process.line is not None:
        _Process.line.text = f"{doing}: {done:,} of {count:,}" if count else doing


def step_aside() -> None:
    """Leave the line to what is said now; what is being done is said again behind that."""
    if _Process.line is not None:
        _Process.line.erase()


def end() -> None:
    """Take the line away."""
    line, _Process.line = _Process.line, None
    if line is not None:
        line.end()


def with_progress(find: Callable[[], Iterable[_Item]], total: int, *, hidden: bool = False) -> Iterator[_Item]:
    """Yield the items that `find` looks for, saying how many of `total` there are, and take the line away.

    Where standard output is a terminal, too, all items are waited for, so that the line and what is said of them do not
    mix. Raises what `find` raises, at once.
    """
    if hidden:
        end()
    else:
        begin("checking")
    if _Process.line is None:
        return iter(find())
    counted = _counted(find(), total)
    return iter(list(counted)) if sys.stdout.isatty() else counted


def _counted(items: Iterable[_Item], total: int) -> Iterator[_Item]:
    try:
        say("checking", 0, total)
        for number, item in enumerate(items, start=1):
            say("checking", number, total)
            yield item
    finally:
        end()


class _Process:
    """What this process shows."""

    line: _StatusLine | None = None


class _StatusLine:
    """The last line of the terminal, which a thread keeps up to date."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._shown = ""
        self._is_over = threading.Event()
        self._drawing = threading.Lock()
        threading.Thread(target=self._keep_up, daemon=True).start()

    def erase(self) -> None:
        """Make room, until the line is drawn again."""
        with self._drawing:
            self._draw("")

    def end(self) -> None:
        """Draw no more, and leave nothing."""
        self._is_over.set()
        self.erase()

    def _keep_up(self) -> None:
        pause = _PATIENCE
        while not self._is_over.wait(pause):
            pause = _INTERVAL
            with self._drawing:
                if not self._is_over.is_set():
                    self._draw(self.text[: shutil.get_terminal_size().columns - 1])

    def _draw(self, text: str) -> None:
        if text == self._shown:
            return
        blank = " " * (len(self._shown) - len(text))
        sys.stderr.write(f"\r{text}{blank}" if text else f"\r{blank}\r")
        sys.stderr.flush()
        self._shown = text
