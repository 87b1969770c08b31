"""A backend that runs scripts one by one, and records them: MLIR's Python bindings, or a tool like ``mlir-opt``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from tdls.interpreter.instrumentation.broken_step import with_broken_step
from tdls.interpreter.instrumentation.likely_reasons import with_likely_reasons
from tdls.interpreter.output.permission_errors import bounded, with_reasons
from tdls.interpreter.wrapping import wrapped
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tdls.interpreter.instrumentation.tool_answers import RawRun
    from tdls.interpreter.model import Limits, RunRequest, RunResult, TextsRead
    from tdls.interpreter.recording.records import RunRecord, Wanted


class Backend(ABC):
    """Runs scripts one by one. Nothing is started before the first run."""

    name: str
    """The name shown to users."""

    def run(self, request: RunRequest) -> RunResult:
        """Carry out `request`. Raises BackendError if the backend itself does not start.

        Output and diagnostics for people are cut at their limits, those of a request for remarks are not.
        """
        result = self._run(wrapped(request))
        return with_reasons(result) if request.only_remarks else self._explained(result, request)

    def record(self, request: RunRequest, wanted: Wanted) -> RunRecord:
        """Carry out `request`, and record its steps and the states in `wanted`.

        Raises BackendError if the backend itself does not start.
        """
        record = self._record(wrapped(request), wanted)
        return replace(record, result=self._explained(record.result, request))

    def _explained(self, result: RunResult, request: RunRequest) -> RunResult:
        result = with_broken_step(with_reasons(result), wrapped(request), self._run)
        return bounded(with_likely_reasons(result, request, lambda repeated: self._run(wrapped(repeated))))

    def log_actions(self, _request: RunRequest) -> RawRun | None:
        """Carry out a request for a named sequence, and return its output with MLIR's log of actions in `printed`.

        None if the backend has no such log. Raises BackendError if the backend itself does not start.
        """
        return None

    @abstractmethod
    def read(self, texts: Sequence[str], limits: Limits) -> TextsRead:
        """Parse and verify `texts`, each by itself, and run nothing.

        Raises BackendError if the backend itself does not start.
        """

    @abstractmethod
    def print(self, path: Path, limits: Limits) -> RunResult:
        """Return the module in a file of text or bytecode, as MLIR prints it, as the text `Emit.MODULE`.

        Raises BackendError if the backend itself does not start.
        """

    @abstractmethod
    def _run(self, request: RunRequest) -> RunResult:
        """Carry out `request`, whose entry point is a named sequence."""

    @abstractmethod
    def _record(self, request: RunRequest, wanted: Wanted) -> RunRecord:
        """Carry out and record `request`, whose entry point is a named sequence."""

    @abstractmethod
    def cancel(self) -> None:
        """End the run that another thread waits for, at once, with status `CANCELLED`."""

    @abstractmethod
    def close(self) -> None:
        """End all processes, and delete all files."""
