"""Prepares a result for display: explains permission errors, and limits output, as a script can print without end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.interpreter.confinement.confinement import protection
from tdls.interpreter.runs.model import RunDiagnostic, RunLevel, Status
from tdls.limits import RUN_DIAGNOSTICS, RUN_PRINTED
from tdls.structs import replace

if TYPE_CHECKING:
    from tdls.interpreter.runs.model import RunResult

_DENIED = re.compile(r"[Pp]ermission denied|[Oo]peration not permitted")
_ABOUT_WRITING = re.compile(r"output|writ", re.IGNORECASE)
_NOT_THERE = "No such file or directory"
_WHY = "a run writes to nothing but its temporary folder: docs/security.md, 'How runs are confined'"


def with_reasons(result: RunResult) -> RunResult:
    """Return `result` with a note at its first diagnostic that may come from a denied write.

    If only standard error has such a message, a remark is added.
    """
    if result.status is Status.SUCCESS or not protection().confines:
        return result
    for number, diagnostic in enumerate(result.diagnostics):
        if _is_about_writing(diagnostic.message):
            why = RunDiagnostic(RunLevel.NOTE, _WHY, diagnostic.file, diagnostic.line, diagnostic.column)
            noted = replace(diagnostic, notes=(*diagnostic.notes, why))
            return replace(result, diagnostics=(*result.diagnostics[:number], noted, *result.diagnostics[number + 1 :]))
    if any(map(_is_about_writing, result.console.splitlines())):
        return replace(result, diagnostics=(*result.diagnostics, RunDiagnostic(RunLevel.REMARK, _WHY)))
    return result


def _is_about_writing(message: str) -> bool:
    is_missing_place = _NOT_THERE in message and _ABOUT_WRITING.search(message) is not None
    return is_missing_place or _DENIED.search(message) is not None


def bounded(result: RunResult) -> RunResult:
    """Return `result` with output and diagnostics cut at their limits, and the number of omitted ones."""
    left_out = len(result.diagnostics) - RUN_DIAGNOSTICS.most
    diagnostics = result.diagnostics
    if left_out > 0:
        more = RunDiagnostic(RunLevel.REMARK, f"{left_out:,} more diagnostics of this run are not shown")
        diagnostics = (*diagnostics[: RUN_DIAGNOSTICS.most], more)
    return replace(result, printed=_cut(result.printed), console=_cut(result.console), diagnostics=diagnostics)


def _cut(text: str) -> str:
    left_out = len(text) - RUN_PRINTED.most
    return text if left_out <= 0 else f"{text[: RUN_PRINTED.most]}\n({left_out:,} more characters are not shown)\n"
