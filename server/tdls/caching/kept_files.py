"""Values in entries of the user's cache."""

from __future__ import annotations

import atexit
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import tdls
from tdls.caching.digest import digest
from tdls.caching.plain_data import dumps, loads
from tdls.caching.user_cache import Cache

if TYPE_CHECKING:
    from tdls.caching.basis import Basis

_T = TypeVar("_T")


class KeptFile:
    """The one cached value of a name; storing another value replaces it."""

    def __init__(self, basis: Basis, name: str) -> None:
        """`basis` are the inputs of the value, other than the thing called `name`."""
        self._basis = basis
        self._cache = Cache.of_user()
        self._name = f"{basis.kind}-{digest(tdls.__version__, name)}"  # each release has entries of its own

    def load(self) -> Any:
        """Return the value stored last, or None if there is none, or another tdls stored it."""
        return loads(self._cache.get(self._name, self._basis.key()))

    def store(self, value: object) -> None:
        """Store `value`, if that is possible."""
        self._cache.put(self._name, dumps(value), self._basis.key())


class KeptResults(Generic[_T]):
    """Results by text that outlive the process: read when this is created, written at exit if there are new ones.

    Each value is stored as bytes of its own and decoded when it is requested, so unused values cost little.
    """

    def __init__(self, name: str) -> None:
        """`name` is that of the entry."""
        self._cache = Cache.of_user()
        self._name = name
        found = loads(self._cache.get(name))
        self._contents: dict[str, bytes] = found if isinstance(found, dict) else {}
        self._changed = False

    def get(self, text: str) -> _T | None:
        """Return the result stored for `text`, or None."""
        result: _T | None = loads(self._contents.get(text))
        return result

    def put(self, text: str, result: _T) -> None:
        """Store `result` for `text`, if that is possible."""
        content = dumps(result)
        if content is None:
            return
        if not self._changed:
            self._changed = True
            atexit.register(self.write)
        self._contents[text] = content

    def write(self) -> None:
        """Write all results, if that is possible."""
        self._cache.put(self._name, dumps(self._contents))
