"""Runs as JSON: how each ended, the text that it gave, and what it matched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tdls import __version__
from tdls.interpreter.matching.document import diagnostic_object, matches_object

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.interpreter.matching.explanation import Explanation
    from tdls.interpreter.model import RunRequest, RunResult

_VERSION = 1


def run_document(runs: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the document of several runs, each as `run_object` has it."""
    return {"version": _VERSION, "tool": {"name": "tdls", "version": __version__}, "runs": list(runs)}


def run_object(
    request: RunRequest, result: RunResult, text: str | None, explanation: Explanation | None
) -> dict[str, Any]:
    """Return what there is to say of a run; `text` is what it gave, `explanation` what it matched if that is asked."""
    return {
        "script": request.script.name,
        "part": request.part + 1,
        "status": result.status.value,
        "backend": result.backend,
        "text": text,
        "diagnostics": list(map(diagnostic_object, result.diagnostics)),
        "matches": None if explanation is None else matches_object(explanation),
    }
