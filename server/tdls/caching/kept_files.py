"""Values in files of their own, in the user's cache folder. Without them tdls works, but slower.

Each file is replaced as a whole, so that several processes may use it at once; an unreadable file counts as absent.
"""

from __future__ import annotations

import atexit
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import tdls
from tdls.caching import user_cache
from tdls.caching.digest import digest
from tdls.caching.user_cache import UnreadableError, cache_folder, keep, kept, remove_forgotten

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.caching.basis import Basis

_T = TypeVar("_T")
_DIGITS_IN_NAME = 16


class KeptFile:
    """The one cached value of a name; storing another value replaces it."""

    def __init__(self, basis: Basis, name: str) -> None:
        """`basis` are the inputs of the value, other than the thing called `name`."""
        self._basis = basis
        folder = cache_folder()
        short = digest(tdls.__version__, name)[:_DIGITS_IN_NAME]  # each release has files of its own
        self._file = folder / f"{basis.kind}-{short}" if folder is not None else None

    def load(self) -> Any:
        """Return the value stored last; None if there is none, it cannot be read, or another tdls stored it."""
        match kept(self._file):
            case (key, value) if key == self._basis.key():
                return value
        return None

    def store(self, value: object) -> None:
        """Store `value`, if that is possible."""
        if self._file is not None and keep(self._file, user_cache.dumps((self._basis.key(), value))):
            remove_forgotten(self._file.parent, self._basis.kind)


class KeptResults(Generic[_T]):
    """Results by text that outlive the process: read when this is created, written at exit if there are new ones.

    Each value is stored as bytes of its own and decoded when it is requested, so unused values cost little.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        found = kept(file)
        self._contents: dict[str, bytes] = found if isinstance(found, dict) else {}
        self._changed = False

    def get(self, text: str) -> _T | None:
        """Return the result stored for `text`, None if there is none."""
        content = self._contents.get(text)
        try:
            result: _T | None = user_cache.loads(content) if content is not None else None
        except UnreadableError:
            return None
        return result

    def put(self, text: str, result: _T) -> None:
        """Store `result` for `text`."""
        if not self._changed and self._file is not None:
            self._changed = True
            atexit.register(self.write)
        self._contents[text] = user_cache.dumps(result)

    def write(self) -> None:
        """Write all results, if that is possible."""
        if self._file is not None:
            keep(self._file, user_cache.dumps(self._contents))
