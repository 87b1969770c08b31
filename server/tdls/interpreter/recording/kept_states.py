"""States that somebody asked for, or may ask for, within a bound of memory."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING

from tdls.interpreter.recording.records import StateRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

KEPT = 64 << 20
"""Bytes of states that are kept, compressed."""
_PLAIN_HANDLE = 500
"""About so many bytes take handles that are not packed."""


class KeptStates:
    """The states of passings. Those that share a version of the payload share its text; for any thread."""

    def __init__(self, versions: Sequence[int], most: int = KEPT) -> None:
        """`versions` says which version of the payload each passing has; at most `most` bytes are kept."""
        self._versions = versions
        self._most = most
        self._lock = threading.RLock()
        self._states: OrderedDict[int, StateRecord] = OrderedDict()
        self._texts: dict[int, bytes] = {}
        self._users: Counter[int] = Counter()
        """How many states there are of each version."""
        self.size = 0
        self.dropped = 0
        """How many states had to go."""

    def __contains__(self, passing: int) -> bool:
        return passing in self._states

    def __len__(self) -> int:
        return len(self._states)

    def get(self, passing: int) -> StateRecord | None:
        """Return a state, which is going to be kept longer for that."""
        with self._lock:
            if passing in self._states:
                self._states.move_to_end(passing)
            return self._states.get(passing)

    def text(self, passing: int) -> bytes | None:
        """Return the payload of a passing, compressed, if one with that version is kept."""
        return self._texts.get(self._versions[passing])

    def has_room(self, size: int) -> bool:
        """Tell whether `size` bytes more can be kept without dropping anything."""
        return self.size + size <= self._most

    def put(self, passing: int, record: StateRecord) -> None:
        """Keep a state, and drop those that were used longest ago where they are too many."""
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
        """Return the same text, the object of a neighbour if that is equal."""
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
