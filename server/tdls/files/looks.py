"""What was looked at on disk, noted so that somebody can tell later, without looking again, that all is as it was.

A note is the state of a file or folder: size, times, inode. A file that has the same state has the same content, and a
folder the same entries, if nothing had touched it in the two seconds before it was looked at. Who looks at the disk for
what is said of a script notes it here; that nobody forgets is tested.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False  # `typing` takes longer to import than all that is done here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    AnyPath = str | os.PathLike[str]

STATE, KIND, END = "s", "k", "e"
"""What a note is about: the content of a file or folder, only what it is, or where a path leads by its links."""
_MISSING = "-"
_NO_NAMES = ("", ".", "..")
_SAFE_AGE = 2_000_000_000
"""Nanoseconds after which a change of a file has another time than the one before, on every file system."""


class Looks:
    """What was looked at since this was made, in one process."""

    def __init__(self) -> None:
        self.is_whole = True
        """Whether all is here that was looked at: not if other processes looked, too."""
        self._found: dict[tuple[str, str], str] = {}

    def note(self, kind: str, path: AnyPath) -> None:
        """Note what `path` is now, unless it was noted before."""
        place = os.path.join(os.getcwd(), path)  # noqa: PTH109, PTH118 - `..` behind a link is not its folder
        if kind == END and self._is_entry(place):
            place = os.path.dirname(place)  # noqa: PTH120
        if (kind, place) not in self._found:
            self._found[kind, place] = _MEASURES[kind](place)

    def settled(self, began: int) -> list[tuple[str, str, str]] | None:
        """Return what was noted, None if something has changed since `began`, in nanoseconds, or just before.

        What follows from the states of folders is left out: which entries there are, and what kinds of files.
        """
        if not self.is_whole:
            return None
        if any(kind == STATE and _changed(path) >= began - _SAFE_AGE for kind, path in reversed(self._found)):
            return None
        self._follow_ends()
        if any(_MEASURES[kind](path) != found for (kind, path), found in self._found.items()):
            return None
        return [(kind, path, found) for (kind, path), found in self._found.items() if not self._follows(kind, path)]

    def _follow_ends(self) -> None:
        """Note, where a path is no link itself, where its folder leads: for all files of a folder at once."""
        pending = [path for kind, path in self._found if kind == END]
        for path in pending:
            folder = os.path.dirname(path)  # noqa: PTH120
            if self._is_entry(path) and (END, folder) not in self._found:
                self.note(END, folder)
                pending.append(folder)

    def _follows(self, kind: str, path: str) -> bool:
        """Tell whether a note follows from that of the folder which the path is in."""
        return self._is_entry(path) and (kind != STATE or self._found[kind, path] == _MISSING)

    def _is_entry(self, path: str) -> bool:
        """Tell whether a path is in a folder whose state was noted, and no link that leads elsewhere."""
        folder, name = os.path.split(path)
        return (STATE, folder) in self._found and name not in _NO_NAMES and not os.path.islink(path)  # noqa: PTH114


class _Noting:
    """Who notes in this process, if anybody."""

    looks: Looks | None = None


def begin() -> None:
    """Note from here on what this process looks at."""
    _Noting.looks = Looks()


def end() -> Looks | None:
    """Note no more; return what was noted since `begin`."""
    looks, _Noting.looks = _Noting.looks, None
    return looks


def looked_at(path: AnyPath) -> None:
    """Note that the content of a file counts, or the entries of a folder, or that there is none."""
    if _Noting.looks is not None:
        _Noting.looks.note(STATE, path)


def asked_for(path: AnyPath) -> None:
    """Note that it counts whether there is something, and whether it is a file or a folder."""
    if _Noting.looks is not None:
        _Noting.looks.note(KIND, path)


def followed(path: AnyPath) -> None:
    """Note that it counts where a path leads once all links are followed."""
    if _Noting.looks is not None:
        _Noting.looks.note(END, path)


def others_look() -> None:
    """Note that other processes look at files, too, of which nothing is known here."""
    if _Noting.looks is not None:
        _Noting.looks.is_whole = False


def are_as_noted(notes: Iterable[tuple[str, str, str]]) -> bool:
    """Tell whether all is as `Looks.settled` said."""
    return all(_MEASURES[kind](path) == found for kind, path, found in notes)


def encoded(notes: Iterable[tuple[str, str, str]]) -> bytes:
    """Return notes as bytes, in which no path can end early."""
    return os.fsencode("\0".join(field for note in notes for field in note))


def decoded(content: bytes) -> Iterator[tuple[str, str, str]]:
    """Return the notes that `encoded` was given. Raises ValueError."""
    fields = os.fsdecode(content).split("\0")
    return zip(fields[::3], fields[1::3], fields[2::3], strict=True)


def _state(path: str) -> str:
    try:
        found = os.stat(path)  # noqa: PTH116 - as all here, for its speed
    except (OSError, ValueError):
        return _MISSING if not os.path.lexists(path) else "link"
    mode, inode, device, _, owner, _, size = found[:7]
    return f"{mode} {inode} {device} {owner} {size} {found.st_mtime_ns} {found.st_ctime_ns}"


def _changed(path: str) -> int:
    """Return when a file or folder was changed last, in nanoseconds; 0 for what is not there."""
    try:
        found = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return 0
    return max(found.st_mtime_ns, found.st_ctime_ns)


def _kind(path: str) -> str:
    try:
        return str(stat.S_IFMT(os.stat(path).st_mode))  # noqa: PTH116
    except (OSError, ValueError):
        return _MISSING if not os.path.lexists(path) else "link"


_MEASURES: dict[str, Callable[[str], str]] = {STATE: _state, KIND: _kind, END: os.path.realpath}
