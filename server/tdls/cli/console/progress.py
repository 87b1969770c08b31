"""A status line on the terminal that names the current work, where that takes long.

It is on standard error, if that is a terminal, from `begin` to `end`. Other messages appear above it.
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_Item = TypeVar("_Item")
_PATIENCE = 0.3
"""Seconds before the line is shown first."""
_INTERVAL = 0.1
"""Seconds between updates of the line."""


def begin(doing: str) -> None:
    """Show `doing` in the status line, once the work takes long, until `end`."""
    if _Process.line is None and sys.stderr.isatty():
        _Process.line = _StatusLine(doing)


def say(doing: str, done: int = 0, count: int = 0) -> None:
    """Set the text of the status line, if there is one: `doing`, and `done` of `count` if that is known."""
    if _Process.line is not None:
        _Process.line.text = f"{doing}: {done:,} of {count:,}" if count else doing


def step_aside() -> None:
    """Erase the status line for another message; it is drawn again below that."""
    if _Process.line is not None:
        _Process.line.erase()


def end() -> None:
    """Remove the status line."""
    line, _Process.line = _Process.line, None
    if line is not None:
        line.end()


def with_progress(find: Callable[[], Iterable[_Item]], total: int, *, hidden: bool = False) -> Iterator[_Item]:
    """Yield the items of `find`, counting them up to `total` in the status line, and remove the line.

    If standard output is a terminal, too, all items are collected first, so that the line does not mix with their
    output. Exceptions of the call of `find` are raised at once.
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
    """The status line of this process."""

    line: _StatusLine | None = None


class _StatusLine:
    """The last line of the terminal, which a thread redraws."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._shown = ""
        self._is_over = threading.Event()
        self._drawing = threading.Lock()
        threading.Thread(target=self._keep_up, daemon=True).start()

    def erase(self) -> None:
        """Clear the line until the thread draws it again."""
        with self._drawing:
            self._draw("")

    def end(self) -> None:
        """Stop the thread, and clear the line."""
        self._is_over.set()
        self.erase()

    def _keep_up(self) -> None:
        import shutil

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
