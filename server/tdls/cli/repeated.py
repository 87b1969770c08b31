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

import tdls
from tdls.caching.digest import digest
from tdls.caching.place import quick_content
from tdls.cli.console import streams
from tdls.files import looks

TYPE_CHECKING = False  # `typing` takes longer to import than all that is done here
if TYPE_CHECKING:
    from collections.abc import Iterator

_UNIMPORTANT = frozenset({"_", "OLDPWD", "SHLVL"})
"""Variables that shells change by themselves, and nobody reads."""
_MOST_BYTES = 1_000_000
"""Of what was said; who says more takes time to be read."""
_STATUSES = frozenset({0, 1})
"""Of checks that went through."""
_PACKAGES = ("site-packages", "dist-packages")


class _Recording:
    """The check under way in this process."""

    began = 0
    may_be_repeated = False


def say_again(arguments: list[str]) -> int | None:
    """Say what was said for this command line, and return its exit status; None if all has to be looked at.

    Raises what writing to prepared streams raises.
    """
    key = _key(arguments)
    content = quick_content(key) if key is not None else None
    if content is None:
        return None
    try:
        status, noted, *said = _parts(content)
        if not looks.are_as_noted(looks.decoded(noted)):
            return None
        pieces = [(number == b"2", text) for number, text in zip(said[::2], said[1::2], strict=True)]
        exit_status = int(status)
    except ValueError:  # the file is damaged
        return None
    for is_error, text in pieces:
        output = sys.stderr if is_error else sys.stdout
        output.buffer.write(text)
        output.flush()
    return exit_status


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
    is_said_again = _Recording.may_be_repeated and status in _STATUSES and _size(heard) <= _MOST_BYTES
    if not is_said_again or looked is None or key is None:
        return
    notes = looked.settled(_Recording.began)
    own_notes = _own_looks().settled(_Recording.began) if notes is not None else None
    if notes is None or own_notes is None:
        return
    from tdls.caching.store import Store

    store = Store.of_user()
    parts = [b"%d" % status, looks.encoded([*own_notes, *notes])]
    for number, text in heard:
        parts += [b"%d" % number, text]
    if store is not None:
        store.put_bytes(key, b"".join(b"%d\n%b" % (len(part), part) for part in parts))


def _size(pieces: list[tuple[int, bytes]]) -> int:
    return sum(len(text) for _, text in pieces)


def _parts(content: bytes) -> Iterator[bytes]:
    """Yield the parts that `keep` put together. Raises ValueError."""
    place = 0
    while place < len(content):
        end = content.index(b"\n", place)
        place = end + 1 + int(content[place:end])
        yield content[end + 1 : place]


def _key(arguments: list[str]) -> str | None:
    """Return what stands for a command line and all that a process is started with; None if that is not known."""
    try:
        return digest("said", tdls.__version__, tdls.__file__, repr([arguments, *_circumstances()]))
    except OSError:  # somebody removed the current folder
        return None


def _circumstances() -> Iterator[object]:
    """Yield what counts besides files, for all that tdls says."""
    yield os.getcwd()  # noqa: PTH109
    yield sorted((name, value) for name, value in os.environ.items() if name not in _UNIMPORTANT)
    yield sys.executable, sys.version, sys.path, tuple(sys.flags)
    for stream in (sys.stdout, sys.stderr):
        yield stream.encoding, stream.isatty()


def _own_looks() -> looks.Looks:
    """Return what this process looked at to be there: tdls, and the folders that change when packages come and go.

    What has not changed since the process began was as it is when it was imported.
    """
    from tdls.caching.own_files import own_places

    own = looks.Looks()
    own.note(looks.END, tdls.__file__)
    for place in (*own_places(), *(place for place in sys.path if place.endswith(_PACKAGES))):
        own.note(looks.STATE, place)
    return own
