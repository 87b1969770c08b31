"""What can record runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tdls.interpreter.backend import Backend

if TYPE_CHECKING:
    from tdls.interpreter.model import RunRequest
    from tdls.interpreter.recording.records import RunRecord, Wanted


class RecordingError(Exception):
    """A state cannot be told; the message is one line for people."""


class RecordingBackend(Backend, Protocol):
    """Runs scripts one by one, and records them."""

    def record(self, request: RunRequest, wanted: Wanted) -> RunRecord:
        """Carry out `request` so that it tells its steps, and the states that are `wanted`.

        Raises BackendError if the backend itself does not start.
        """
        ...
