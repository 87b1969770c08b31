"""Where the user's cache folder is, found out with little imported: for what has to be quick.

`user_cache` has the last word; where this says something else, no more than time is lost.
"""

from __future__ import annotations

import os
import stat
import sys

FOLDER_VARIABLE = "TDLS_CACHE_DIR"
STORE = "check"
"""The folder of small texts, see `Store`."""
_OTHERS = 0o077


def quick_folder() -> str | None:
    """Return the folder if it is there and the user's alone, None also where that cannot be told as quickly."""
    if os.name != "posix":
        return None
    folder = os.environ.get(FOLDER_VARIABLE) or os.path.join(_caches(), "tdls")  # noqa: PTH118
    try:
        found = os.lstat(folder)
    except (OSError, ValueError):
        return None
    is_private = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & _OTHERS
    return folder if is_private and os.path.isabs(folder) else None  # noqa: PTH117


def quick_content(key: str) -> bytes | None:
    """Return what `Store` keeps for a key, None if that is nothing, or cannot be told quickly."""
    folder = quick_folder()
    if folder is None:
        return None
    try:
        with open(os.path.join(folder, STORE, file_of(key)), "rb") as stream:  # noqa: PTH118, PTH123
            return stream.read()
    except OSError:
        return None


def file_of(key: str) -> str:
    """Return where in its folder `Store` keeps a text."""
    return os.path.join(key[:2], key[2:])  # noqa: PTH118


def _caches() -> str:
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Caches")  # noqa: PTH111
    return os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
