"""Attributes failures to operations of the script: MLIR mostly reports a failure at the target in the payload."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from tdls.interpreter.runs.model import Place, RunDiagnostic, RunLevel, Status
from tdls.settings.llvm_versions import llvm_versions, version_of_tool
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.interpreter.runs.model import RunResult

_OF = "the payload operation concerned"
_INVALID = "this became invalid"
_BROKE = "this leaves payload that MLIR rejects: "
_AROUND = "executed by this operation"


def attributed(result: RunResult) -> tuple[RunDiagnostic, ...]:
    """Return the diagnostics of a run, with its final error at the operation of the script that failed.

    If MLIR reported the error at another place, that place becomes a note. Further notes are the operations that
    executed the failed one, innermost first. Without `RunResult.executing` the diagnostics are unchanged, except that a
    repeated warning is returned once, with its count.
    """
    diagnostics = _without_repetitions(result.diagnostics)
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.level is RunLevel.ERROR]
    if result.status is not Status.FAILURE or not result.executing or not errors:
        return diagnostics
    failed = result.executing[0]
    iterations = [times.iteration for times in result.times] or [0] * len(result.executing)
    around = [
        place.diagnostic(RunLevel.NOTE, f"{_AROUND}, in its iteration {iteration}" if iteration else _AROUND)
        for place, iteration in zip(result.executing[1:], iterations, strict=False)
    ]
    own = [error for error in errors if error.place in result.executing]
    if result.broke_payload:
        moved = replace(errors[-1], message=_BROKE + errors[-1].message)
        return tuple(_relocated(moved, failed, around, _INVALID) if it is errors[-1] else it for it in diagnostics)
    if not own:
        return tuple(_relocated(each, failed, around) if each is errors[-1] else each for each in diagnostics)
    at_failed = [error for error in own if error.place == failed]
    return tuple(_with_callers(each, around) if each in at_failed else each for each in diagnostics)


def _without_repetitions(diagnostics: Sequence[RunDiagnostic]) -> tuple[RunDiagnostic, ...]:
    counts = Counter(diagnostic for diagnostic in diagnostics if diagnostic.level is RunLevel.WARNING)
    kept = []
    for diagnostic in diagnostics:
        times = counts.pop(diagnostic, 0) if diagnostic.level is RunLevel.WARNING else 1
        if times:
            message = f"{diagnostic.message} ({times} times)" if times > 1 else diagnostic.message
            kept.append(replace(diagnostic, message=message))
    return tuple(kept)


_UNKNOWN = re.compile(r"custom op '(?P<name>[\w.]+)' is unknown")
_OPEN_CHOICE = re.compile(r'non-deterministic choice "(?P<name>[^"\n]+)" is only resolved')
_NOT_EVALUATED = "op does not have interpreted semantics yet"


def with_advice(diagnostic: RunDiagnostic, catalogue: Catalogue, mlir: str) -> RunDiagnostic:
    """Return a diagnostic of a run by `mlir`; that of an unknown operation, or an open choice, says what to do.

    A run of an operation that only the project knows needs a setting; one of another version has a replacement. Choices
    are set for a run, which evaluates their constraints.
    """
    choice = _OPEN_CHOICE.search(diagnostic.message)
    if choice is not None or _NOT_EVALUATED in diagnostic.message:
        name, does = ("NAME", "evaluates it") if choice is None else (choice["name"], "makes it for one run")
        return replace(diagnostic, message=f"{diagnostic.message}; `tdls run --set {name}=VALUE` {does}")
    unknown = _UNKNOWN.search(diagnostic.message)
    definition = catalogue.operation(unknown["name"]) if unknown is not None else None
    if definition is None:
        return diagnostic
    if definition.defined_at is not None:
        advice = f"{definition.defined_at.path.name} defines it: name a tool that is built with it as `run.backend`"
    else:
        from tdls.analysis.rules.transform.not_in_target_llvm import replacement

        version, variants = version_of_tool(mlir), catalogue.variants(definition.name)
        if version not in llvm_versions() or any(version in each.versions for each in variants):
            return diagnostic
        advice = replacement(catalogue.at(version), definition)
    return replace(diagnostic, message=f"{diagnostic.message}; {advice}")


def _relocated(error: RunDiagnostic, failed: Place, around: list[RunDiagnostic], said: str = _OF) -> RunDiagnostic:
    target = (error.place.diagnostic(RunLevel.NOTE, said),) if error.place is not None else ()
    moved = replace(error, file=failed.file, line=failed.line, column=failed.column, notes=(*target, *error.notes))
    return _with_callers(moved, around)


def _with_callers(error: RunDiagnostic, around: list[RunDiagnostic]) -> RunDiagnostic:
    return replace(error, notes=(*error.notes, *around))
