"""A cache of states, with a limit on its memory."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING

from tdls.interpreter.recording.records import StateRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

KEPT = 64 << 20
"""Default limit of the cache in bytes of compressed states."""
_PLAIN_HANDLE = 500
"""Approximate size in bytes of a handle that is not packed."""


class KeptStates:
    """A cache of states by passing. States with the same version of the payload share its text. Thread-safe."""

    def __init__(self, versions: Sequence[int], most: int = KEPT) -> None:
        """`versions` has the payload version of each passing; at most `most` bytes are kept."""
        self._versions = versions
        self._most = most
        self._lock = threading.RLock()
        self._states: OrderedDict[int, StateRecord] = OrderedDict()
        self._texts: dict[int, bytes] = {}
        self._users: Counter[int] = Counter()
        """Number of states of each version."""
        self.size = 0
        self.dropped = 0
        """Number of evicted states."""

    def __contains__(self, passing: int) -> bool:
        return passing in self._states

    def __len__(self) -> int:
        return len(self._states)

    def get(self, passing: int) -> StateRecord | None:
        """Return a state and mark it as recently used."""
        with self._lock:
            if passing in self._states:
                self._states.move_to_end(passing)
            return self._states.get(passing)

    def text(self, passing: int) -> bytes | None:
        """Return the compressed payload of a passing, if a state with its version is in the cache."""
        return self._texts.get(self._versions[passing])

    def has_room(self, size: int) -> bool:
        """Tell whether `size` more bytes fit without eviction."""
        return self.size + size <= self._most

    def put(self, passing: int, record: StateRecord) -> None:
        """Add a state, and evict the least recently used ones if the limit is exceeded."""
        with self._lock:
            self._drop(passing)
            version = self._versions[passing]
            text = self._texts.get(version)
            if text is None and record.compressed is not None:
                text = self._texts[version] = self._shared(version, record.compressed)
                self.size += len(text)
            kept = StateRecord(text, record.kept_handles)
            self._states[passing] = kept
            self._users[version] += 1
            self.size += _size_of_handles(kept)
            while self.size > self._most and len(self._states) > 2:
                self._drop(next(iter(self._states)))
                self.dropped += 1

    def _shared(self, version: int, text: bytes) -> bytes:
        """Return an equal text of an adjacent version if there is one, to keep one object only."""
        for neighbour in (version - 1, version + 1):
            known = self._texts.get(neighbour)
            if known == text:
                return known
        return text

    def _drop(self, passing: int) -> None:
        record = self._states.pop(passing, None)
        if record is None:
            return
        version = self._versions[passing]
        self.size -= _size_of_handles(record)
        self._users[version] -= 1
        if not self._users[version]:
            del self._users[version]
            text = self._texts.pop(version, None)
            self.size -= len(text) if text is not None else 0


def _size_of_handles(record: StateRecord) -> int:
    handles = record.kept_handles
    return _PLAIN_HANDLE * len(handles) if isinstance(handles, tuple) else handles.size
