"""A check that was made before: what was said then is said again if nothing has changed that it rests on.

That are all files and folders that were looked at then (`files/looks.py`), those of tdls and of the packages that it
uses among them, and what a process is started with: command line, folder, variables, terminal, Python. Where any of it
is another, all is looked at again.

What is imported here is imported by every check, and has to be little.
"""

from __future__ import annotations

import os
import sys
import time

from tdls.cli.console import streams
from tdls.files import looks
from tdls.files.remembered import key_of, recalled, remember

_UNIMPORTANT = frozenset({"_", "OLDPWD", "SHLVL"})
"""Variables that shells change by themselves, and nobody reads."""
_MOST_BYTES = 1_000_000
"""Of what was said; who says more takes time to be read."""
_STATUSES = frozenset({0, 1})
"""Of checks that went through."""


class _Recording:
    """The check under way in this process."""

    began = 0
    may_be_repeated = False


def say_again(arguments: list[str]) -> int | None:
    """Say what was said for this command line, and return its exit status; None if all has to be looked at.

    Raises what writing to prepared streams raises.
    """
    key = _key(arguments)
    parts = recalled(key) if key is not None else None
    if parts is None:
        return None
    status, *said = parts
    for number, text in zip(said[::2], said[1::2], strict=True):
        output = sys.stderr if number == b"2" else sys.stdout
        output.buffer.write(text)
        output.flush()
    return int(status)


def begin(arguments: list[str]) -> None:
    """Note what is said from here on, and what it rests on, if it may be said again for these `arguments`."""
    if _key(arguments) is not None and streams.listen():
        _Recording.began = time.time_ns()
        looks.begin()


def may_be_repeated() -> None:
    """Say that the check under way does nothing but look and say what it found."""
    _Recording.may_be_repeated = True


def keep(arguments: list[str], status: int) -> None:
    """Keep what was said since `begin`, unless that is not possible."""
    heard, looked = streams.heard(), looks.end()
    key = _key(arguments)
    is_said_again = _Recording.may_be_repeated and status in _STATUSES
    if key is None or looked is None or not is_said_again or sum(len(text) for _, text in heard) > _MOST_BYTES:
        return
    said = [part for number, text in heard for part in (b"%d" % number, text)]
    remember(key, [b"%d" % status, *said], looked, _Recording.began)


def _key(arguments: list[str]) -> str | None:
    """Return what stands for a command line and all that a process is started with; None if that is not known."""
    try:
        folder = os.getcwd()  # noqa: PTH109
    except OSError:  # somebody removed it
        return None
    variables = sorted((name, value) for name, value in os.environ.items() if name not in _UNIMPORTANT)
    streams_are = [(stream.encoding, stream.isatty()) for stream in (sys.stdout, sys.stderr)]
    return key_of("check", arguments, folder, variables, streams_are)
