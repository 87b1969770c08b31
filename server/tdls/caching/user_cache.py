"""The user's cache: files with values that are slow to compute. Without it tdls works, but slower.

The files are in a folder of tdls's own, which bears a mark, inside of the folder for caches. A job of continuous
integration may restore that folder, so it may come from anybody: an entry counts only if it begins with its hash by a
secret, which is in the user's folder for data. An entry that another user, a program or a damage made is absent.
"""

from __future__ import annotations

import atexit
import os
import re
import stat
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tdls.caching.digest import DIGITS, digest
from tdls.files.boundary import real_path
from tdls.files.reading import read_bytes
from tdls.limits import CACHE_ENTRY_SIZE
from tdls.structs import NamedTuple
from tdls.system import DATA_VARIABLE, data_folder, xdg_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FOLDER_VARIABLE: Final = "TDLS_CACHE_DIR"
KEY_VARIABLE: Final = "TDLS_CACHE_KEY"
_OWN: Final = "tdls-cache"
_MARK_FILE: Final = "CACHEDIR.TAG"
_MARK: Final = b"""Signature: 8a477f597d28d172789f06886806bc55
# This folder is a cache of tdls; `tdls clean` empties it. See https://bford.info/cachedir
"""
_SECRET_FILE, _SECRET_SIZE = "cache.key", 32
_PRIVATE: Final = 0o700
_OTHERS, _WRITTEN_BY_OTHERS = 0o077, 0o022
_DAY: Final = 24 * 3600
_LONGEST_LIFE: Final = 30 * _DAY
"""Seconds after which an entry that was not written again is removed; if it is still in use, it is computed again."""
_ENTRY: Final = r"\A(?:[a-z._-]+-[0-9a-f]{64}|\.tdls-[0-9a-f]{16}\.tmp)"
_SHOWN: Final = r"\A(?:rules-[0-9][^/]*/[a-z-]+\.md|runs/[0-9a-f]{12}/[^/]+)"
"""Patterns of the names of files that tdls makes: entries, and pages that editors show."""


class CachePlace(NamedTuple):
    """The cache folder and the secret of its entries; without a folder, the reason for people why none is used."""

    folder: Path | None
    secret: bytes = b""
    problem: str = ""


def cache_place() -> CachePlace:
    """Return the cache folder, created if it does not exist, or the reason why none is used.

    It is inside of the folder that the variable TDLS_CACHE_DIR names, else in the user's. All users of the cache get
    it from this function.
    """
    try:
        named = os.environ.get(FOLDER_VARIABLE)
        outer = Path(named).absolute() if named else Path(_user_folder())
        if not outer.is_absolute():
            return CachePlace(None, problem=f"the home folder is not known; {FOLDER_VARIABLE} may name a folder")
        folder = outer / _OWN
        if not os.path.lexists(folder):
            _make(folder)
        problem = _problem_with(folder)
        if problem:
            return CachePlace(None, problem=f"{problem}; remove it, or name another folder in {FOLDER_VARIABLE}")
    except (OSError, RuntimeError) as error:
        return CachePlace(None, problem=f"there is no folder for it: {error}")
    secret = _secret()
    if not secret:
        reason = f"there is no private file for its key; {DATA_VARIABLE} may name a folder, or {KEY_VARIABLE} a key"
        return CachePlace(None, problem=reason)
    return CachePlace(folder, secret)


def _make(folder: Path) -> None:
    """Make `folder`, which other processes see only together with its mark. Raises OSError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = folder.with_name(f"{folder.name}.{os.urandom(8).hex()}")
    made.mkdir(_PRIVATE)
    try:
        (made / _MARK_FILE).write_bytes(_MARK)
        made.rename(folder)
    except OSError:
        import shutil

        shutil.rmtree(made, ignore_errors=True)
        if not os.path.isdir(folder):
            raise


def _problem_with(folder: Path) -> str:
    """Return why `folder` is not tdls's own, "" if it is. Raises OSError."""
    if _is_link(folder):
        return f"{folder} is a link"
    if not _is_of_user(folder, _WRITTEN_BY_OTHERS):
        return f"{folder} belongs to another user, or others may write into it"
    with suppress(FileNotFoundError):
        if read_bytes(folder / _MARK_FILE, CACHE_ENTRY_SIZE, follows_links=False) == _MARK:
            return ""
    return f"{folder} was not made by tdls: it has no {_MARK_FILE}"


def _is_link(path: Path) -> bool:
    """Whether `path` is a symbolic link, or a junction of Windows."""
    return real_path(path) != real_path(path.parent) / path.name


def _is_of_user(path: Path, mode: int) -> bool:
    """Whether `path` is the user's, and others have no permission of `mode`; on Windows profiles are private."""
    state = path.lstat()
    return not hasattr(os, "getuid") or (state.st_uid == os.getuid() and not stat.S_IMODE(state.st_mode) & mode)


def _secret() -> bytes:
    """Return what tells the entries of this user from others, "" if there is no private place to keep it.

    It is made of the variable TDLS_CACHE_KEY, by which several machines share entries, or it is a random file.
    """
    named, folder = os.environ.get(KEY_VARIABLE), data_folder()
    if named:
        return bytes.fromhex(digest(KEY_VARIABLE, os.fsencode(named)))
    if folder is None:
        return b""
    file = folder / _SECRET_FILE
    if known := _read_secret(file):
        return known
    from tdls.files.writing import NotWrittenError, write_private

    with suppress(OSError, NotWrittenError):
        folder.mkdir(_PRIVATE, parents=True, exist_ok=True)
        write_private(file, os.urandom(_SECRET_SIZE))
        return _read_secret(file)  # that of another process which wrote at the same time, perhaps
    return b""


def _read_secret(file: Path) -> bytes:
    with suppress(OSError):
        if _is_of_user(file, _OTHERS):
            found = read_bytes(file, CACHE_ENTRY_SIZE, follows_links=False)
            return found if len(found) == _SECRET_SIZE else b""
    return b""


def _user_folder() -> str:
    if folder := xdg_folder("XDG_CACHE_HOME", "~/.cache"):
        return folder
    import platformdirs

    return platformdirs.user_cache_dir("tdls", appauthor=False)


class Cache:
    """Entries by name. No method fails: what cannot be read is absent, and what cannot be written is not kept."""

    def __init__(self, place: CachePlace) -> None:
        """Without a folder, there are no entries."""
        self.folder = place.folder
        self._secret = place.secret
        self._is_swept = False

    @classmethod
    def of_user(cls) -> Cache:
        """Return the cache of the user that runs tdls."""
        place = cache_place()
        if place.problem:
            import logging

            logging.getLogger(__name__).info("nothing is kept: %s", place.problem)
        return cls(place)

    def get(self, name: str, key: str = "") -> bytes | None:
        """Return the content stored last by `name`, or None if there is none, or only with another `key`."""
        if self.folder is None:
            return None
        try:
            found = read_bytes(self.folder / name, CACHE_ENTRY_SIZE, follows_links=False)
        except OSError:
            return None
        content = found[DIGITS:]
        return content if found[:DIGITS] == self._hash(name, key, content) else None

    def put(self, name: str, content: bytes | None, key: str = "") -> None:
        """Store `content`, if there is some; readers see all of it or nothing."""
        if self.folder is None or content is None or len(content) > CACHE_ENTRY_SIZE.most - DIGITS:
            return
        from tdls.files.writing import NotWrittenError, write_private

        with suppress(OSError, NotWrittenError):
            write_private(self.folder / name, self._hash(name, key, content) + content, is_lasting=False)
            self._sweep(self.folder)

    def _hash(self, name: str, key: str, content: bytes) -> bytes:
        return digest(name, key, content, secret=self._secret).encode("ascii")

    def _sweep(self, folder: Path) -> None:
        """Once a day, remove entries that were not written for long: of other texts and versions. Raises OSError."""
        now, mark = time.time(), folder / _MARK_FILE
        if not self._is_swept and now - mark.lstat().st_mtime > _DAY:
            os.utime(mark)
            for file, name in _files(folder):
                if re.fullmatch(_ENTRY, name) and now - file.lstat().st_mtime > _LONGEST_LIFE:
                    file.unlink(missing_ok=True)
        self._is_swept = True

    def clear(self) -> tuple[int, int]:
        """Remove what tdls has written; return the number of files, and of bytes."""
        count = size = 0
        for file, name in _files(self.folder) if self.folder is not None else ():
            if re.fullmatch(f"{_ENTRY}|{_SHOWN}", name):
                with suppress(OSError):
                    written = file.lstat().st_size
                    if os.name == "nt":
                        file.chmod(stat.S_IWRITE)
                    file.unlink()
                    count, size = count + 1, size + written
        return count, size


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files in and below `folder`, with their names in it; no link is followed."""
    for place, _, names in os.walk(folder):
        for name in names:
            file = Path(place, name)
            yield file, file.relative_to(folder).as_posix()


def private_folder(*names: str) -> Path:
    """Return a folder for files that editors show, made if there is none: one in a folder of the user alone.

    That is the cache folder, or a temporary one of this process where that is not possible. Raises OSError.
    """
    folder = cache_place().folder
    with suppress(OSError):
        if folder is not None:
            return _made_in(folder, names)
    return _made_in(_temporary_folder(), names)


def _made_in(folder: Path, names: Iterable[str]) -> Path:
    for name in names:
        folder /= name
        with suppress(FileExistsError):
            folder.mkdir(_PRIVATE)
        if _is_link(folder) or not os.path.isdir(folder):
            raise NotADirectoryError(str(folder))
    return folder


@lru_cache(maxsize=1)
def _temporary_folder() -> Path:
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="tdls-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
