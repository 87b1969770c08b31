"""The interface of a backend whose runs can be explained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tdls.interpreter.recording.backend import RecordingBackend

if TYPE_CHECKING:
    from tdls.interpreter.model import RunRequest, RunResult


class ExplainingBackend(RecordingBackend, Protocol):
    """A backend that can return all of MLIR's output."""

    def run_in_full(self, request: RunRequest) -> RunResult:
        """Carry out `request` as `run` does, and return MLIR's diagnostics and output without a limit.

        Raises BackendError if the backend itself does not start.
        """
        ...
