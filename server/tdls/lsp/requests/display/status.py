"""``tdls/status``: what the server is, and what it would run scripts with."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

import tdls
from tdls.interpreter.jobs.backend import BackendError, NoMlirError
from tdls.lsp.protocol.custom_parameters import optional_uri

if TYPE_CHECKING:
    from tdls.lsp.connection.registration import Features
    from tdls.lsp.runs.runner import Runs
    from tdls.lsp.workspace.projects import Projects

METHOD = "tdls/status"


def register(features: Features, runs: Runs, projects: Projects) -> None:
    """Answer what people want to see in a status bar; nothing is run for that."""

    @features.feature(METHOD)
    def status(params: Any) -> dict[str, Any]:
        """Return the versions, and what runs scripts of the file in `params`, or the problem with that."""
        uri = optional_uri(params)
        reading = projects.reading(uri)
        answer: dict[str, Any] = {
            "version": tdls.__version__,
            "python": platform.python_version(),
            "reading": reading.shown if reading is not None else None,
        }
        try:
            backend, mlir = runs.backend(uri)
        except BackendError as error:
            problem = error.for_editors if isinstance(error, NoMlirError) else str(error)
            return {**answer, "backend": None, "mlir": None, "problem": problem}
        return {**answer, "backend": backend, "mlir": mlir or None, "problem": None}
