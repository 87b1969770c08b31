"""Small texts by key, in files of a folder that several processes may use at once."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.caching.user_cache import cache_folder, keep

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDER = "check"
_KEPT_DAYS = 30
_DAY = 24 * 3600
_SWEPT = "swept"


class Store:
    """Texts by key. No method fails: an unreadable text counts as absent, and failed writes are ignored."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def of_user(cls) -> Store | None:
        """Return the store in the user's cache folder, None if there is no such folder."""
        folder = cache_folder()
        return cls(folder / _FOLDER) if folder is not None else None

    def get(self, key: str) -> str | None:
        """Return the text stored for `key`; None if there is none."""
        try:
            return self._file(key).read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def put(self, key: str, text: str) -> None:
        """Store `text` for `key`; readers see all of it or nothing."""
        file = self._file(key)
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
        keep(file, text.encode("utf-8"))

    def sweep(self) -> None:
        """Once a day, drop texts written more than 30 days ago; a text that is still in use is computed again."""
        stamp = self._folder / _SWEPT
        now = time.time()
        if now - _modified(stamp) < _DAY or not self._folder.is_dir():
            return
        try:
            stamp.touch()
        except OSError:
            return
        for file in self._files():
            if now - _modified(file) > _KEPT_DAYS * _DAY:
                with suppress(OSError):
                    file.unlink(missing_ok=True)

    def clear(self) -> tuple[int, int]:
        """Drop everything; return the number of texts, and of bytes."""
        import shutil

        sizes = [_size(file) for file in self._files()]
        shutil.rmtree(self._folder, ignore_errors=True)
        return len(sizes), sum(sizes)

    def _file(self, key: str) -> Path:
        return self._folder / key[:2] / key[2:]

    def _files(self) -> Iterator[Path]:
        for folder, _, names in os.walk(self._folder):
            yield from (Path(folder, name) for name in names)


def _modified(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
