"""The interface of backends that can record runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tdls.interpreter.backend import Backend

if TYPE_CHECKING:
    from tdls.interpreter.model import RunRequest
    from tdls.interpreter.recording.records import RunRecord, Wanted


class RecordingError(Exception):
    """A state is not available; the message is one line for users."""


class RecordingBackend(Backend, Protocol):
    """Runs scripts one by one, and records them."""

    def record(self, request: RunRequest, wanted: Wanted) -> RunRecord:
        """Carry out `request` and record its steps, and the states in `wanted`.

        Raises BackendError if the backend itself does not start.
        """
        ...
