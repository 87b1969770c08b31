"""``tdls/status`` and ``tdls/entryPoints``, which run nothing."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

import tdls
from tdls.interpreter.errors import BackendError, NoMlirError
from tdls.interpreter.runs.entry_points import entry_points, read_entry_points
from tdls.lsp.protocol.conversions import optional_uri
from tdls.lsp.session.document_queue import in_steps

if TYPE_CHECKING:
    from tdls.lsp.connection.dispatch import Host
    from tdls.lsp.state import State

STATUS = "tdls/status"
ENTRY_POINTS = "tdls/entryPoints"


def register(host: Host, state: State) -> None:
    """Answer with the contents of a status bar, and with the places of a file where a run can begin."""

    @host.feature(STATUS)
    def status(params: Any) -> dict[str, Any]:
        """Return the versions, and the backend for the file in `params`, or the problem with it."""
        uri = optional_uri(params)
        reading = state.projects.reading(uri)
        answer: dict[str, Any] = {
            "version": tdls.__version__,
            "python": platform.python_version(),
            "reading": reading.shown if reading is not None else None,
            "readBy": state.readings.mlir(uri),
        }
        try:
            backend, mlir = state.runs.backend(uri)
        except BackendError as error:
            problem = error.for_editors if isinstance(error, NoMlirError) else str(error)
            return {**answer, "backend": None, "mlir": None, "problem": problem}
        return {**answer, "backend": backend, "mlir": mlir or None, "problem": None}

    @host.feature(ENTRY_POINTS)
    def entry_points_of(params: Any) -> list[dict[str, Any]]:
        """Return the entry points of the file in `params`."""
        uri = optional_uri(params)
        file = state.file(uri)
        if file is None:
            return []
        in_steps(read_entry_points(file))
        points = ((point, state.range(uri, point.span)) for point in entry_points(file))
        return [
            {"name": point.shown, "entryPoint": point.name, "part": point.part, "range": range_}
            for point, range_ in points
        ]
