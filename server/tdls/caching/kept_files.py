"""Values in files of their own, in the user's cache folder. Without them all works, but slower.

Each file is replaced as a whole, so that several processes may use it at once; what cannot be read counts as not there.
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
    """The one value that is kept for something with a name; another one takes its place."""

    def __init__(self, basis: Basis, name: str) -> None:
        """`basis` is what the value rests on, beside what `name` stands for."""
        self._basis = basis
        folder = cache_folder()
        self._file = folder / f"{basis.kind}-{_short(name)}" if folder is not None else None

    def load(self) -> Any:
        """Return what was stored last; None if that was nothing, cannot be read, or rests on another tdls."""
        match kept(self._file):
            case (key, value) if key == self._basis.key():
                return value
        return None

    def store(self, value: object) -> None:
        """Keep `value`, unless that is not possible."""
        if self._file is not None and keep(self._file, user_cache.dumps((self._basis.key(), value))):
            remove_forgotten(self._file.parent, self._basis.kind)


def _short(name: str) -> str:
    """Return what stands for `name` in a file's name; each release has files of its own."""
    return digest(tdls.__version__, name)[:_DIGITS_IN_NAME]


class KeptResults(Generic[_T]):
    """Results by text that outlive the process: read when first asked for, written at its end if there are new ones.

    Values are kept as bytes one by one, so those not asked for cost little.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        found = kept(file)
        self._contents: dict[str, bytes] = found if isinstance(found, dict) else {}
        self._changed = False

    def get(self, text: str) -> _T | None:
        """Return the result kept for `text`, None if there is none."""
        content = self._contents.get(text)
        try:
            result: _T | None = user_cache.loads(content) if content is not None else None
        except UnreadableError:
            return None
        return result

    def put(self, text: str, result: _T) -> None:
        """Keep `result` for `text`."""
        if not self._changed and self._file is not None:
            self._changed = True
            atexit.register(self.write)
        self._contents[text] = user_cache.dumps(result)

    def write(self) -> None:
        """Write all results, unless that is not possible."""
        if self._file is not None:
            keep(self._file, user_cache.dumps(self._contents))
