"""Files in the user's cache folder: values that are slow to compute. Without them tdls works, but slower.

The folder is private. On Linux and macOS it has to belong to the user that runs tdls, without access for others; on
Windows it is in the user's profile, which the system protects.
"""

from __future__ import annotations

import atexit
import io
import os
import pickle
import stat
import time
from contextlib import suppress
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from tdls.structs import Struct

_PLAIN: Final = frozenset(
    {
        ("array", "_array_reconstructor"),
        ("array", "array"),
        ("builtins", "frozenset"),
        ("builtins", "set"),
        ("lark.lexer", "Token"),
        ("re", "RegexFlag"),
        *(
            (module, name)
            for module in ("pathlib", "pathlib._local")
            for name in ("PosixPath", "PurePosixPath", "PureWindowsPath", "WindowsPath")
        ),
    }
)
"""Classes and functions outside of tdls that cached data may name, by module and name."""
_PACKAGES: Final = ("tdls.catalogue.", "tdls.project.", "tdls.syntax.parser.assembly.")
"""Packages of the tdls classes that cached data may name."""


class UnreadableError(Exception):
    """Bytes are damaged, of another version, or name a class that is no plain data."""


def dumps(value: object) -> bytes:
    """Return the bytes from which `loads` restores `value`."""
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def loads(content: bytes) -> Any:
    """Return the value that `dumps` encoded. Raises UnreadableError."""
    try:
        return _Reader(io.BytesIO(content)).load()
    except Exception as error:  # pickle may raise any error for damaged data
        raise UnreadableError(str(error)) from error


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        known = _CLASSES.get((module, name))
        if known is None:
            known = _CLASSES[module, name] = self._plain_class(module, name)
        return known

    def _plain_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        found = super().find_class(module, name) if module.startswith(_PACKAGES) and "." not in name else None
        if not isinstance(found, type) or found.__module__ != module or not _is_plain(found):
            raise pickle.UnpicklingError(f"{module}.{name} is no plain data")
        return found


_CLASSES: Final[dict[tuple[str, str], Any]] = {}


def _is_plain(class_: type) -> bool:
    return issubclass(class_, (Struct, Enum)) or hasattr(class_, "_fields")


FOLDER_VARIABLE = "TDLS_CACHE_DIR"
_PRIVATE = 0o700
_OTHERS = 0o077
_WRITTEN_BY_OTHERS = 0o022
_LONGEST_LIFE = 90 * 24 * 3600
"""Seconds after which a value that was not written again is removed."""


class CachePlace(NamedTuple):
    """The cache folder, None if there is none, and the reason for people why it is not used."""

    folder: Path | None
    problem: str = ""


def cache_folder() -> Path | None:
    """Return the cache folder, which the variable TDLS_CACHE_DIR may name; None if there is none."""
    place = cache_place()
    if place.problem:
        import logging

        logging.getLogger(__name__).info("nothing is kept: %s", place.problem)
    return place.folder


def cache_place() -> CachePlace:
    """Return the cache folder, created if it does not exist, or the reason why none is used.

    All users of the cache get the folder from this function.
    """
    try:
        named = os.environ.get(FOLDER_VARIABLE)
        folder = Path(named).absolute() if named else Path(_user_folder())
        if not folder.is_absolute():
            return CachePlace(None, f"the home folder is not known; {FOLDER_VARIABLE} may name a folder")
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(_PRIVATE, exist_ok=True)
        problem = _problem_with(folder)
    except (OSError, RuntimeError) as error:
        return CachePlace(None, f"there is no folder for it: {error}")
    return CachePlace(None, problem) if problem else CachePlace(folder)


def _problem_with(folder: Path) -> str:
    """Return why `folder` is not private, "" if it is; read access of others is removed."""
    if not hasattr(os, "getuid"):
        return ""
    state = folder.stat()
    if {state.st_uid, folder.lstat().st_uid} != {os.getuid()}:
        return f"{folder} belongs to another user; remove it, or name another folder in {FOLDER_VARIABLE}"
    mode = stat.S_IMODE(state.st_mode)
    if mode & _WRITTEN_BY_OTHERS:
        return f"others may write into {folder}; remove it, and tdls makes it again so that they cannot"
    if mode & _OTHERS:
        folder.chmod(mode & ~_OTHERS)
    return ""


def private_folder() -> Path:
    """Return `cache_folder`, or a temporary folder of this process if there is none. Raises OSError."""
    return cache_folder() or _temporary_folder()


@lru_cache(maxsize=1)
def _temporary_folder() -> Path:
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="tdls-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def keep(file: Path, content: bytes) -> bool:
    """Write `content` to `file`, of which readers see all or nothing; return whether that succeeded."""
    import uuid

    temporary = file.with_name(f"{file.name}.{uuid.uuid4().hex}")
    try:
        temporary.write_bytes(content)
        temporary.replace(file)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        return False
    return True


def remove_forgotten(folder: Path, kind: str) -> None:
    """Remove values of one kind not written for long: those of other versions, and of processes that ended early."""
    with suppress(OSError):
        for file in folder.glob(f"{kind}-*"):
            if time.time() - file.stat().st_mtime > _LONGEST_LIFE:
                file.unlink(missing_ok=True)


def kept(file: Path | None) -> object:
    """Return the value whose bytes (of `dumps`) `keep` wrote to `file`; None if there is none, or it is damaged."""
    if file is None:
        return None
    try:
        value: object = loads(file.read_bytes())
    except (OSError, UnreadableError):
        return None
    return value


def _user_folder() -> str:
    import platformdirs

    return platformdirs.user_cache_dir("tdls", appauthor=False)
