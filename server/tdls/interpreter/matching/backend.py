"""What can say why a run found what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tdls.interpreter.recording.backend import RecordingBackend

if TYPE_CHECKING:
    from tdls.interpreter.model import RunRequest, RunResult


class ExplainingBackend(RecordingBackend, Protocol):
    """A backend that leaves out nothing of what MLIR says."""

    def run_in_full(self, request: RunRequest) -> RunResult:
        """Carry out `request` as `run` does, and return all that MLIR says, however much that is.

        Raises BackendError if the backend itself does not start.
        """
        ...
