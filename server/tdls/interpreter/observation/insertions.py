"""What inserted operations leave in the result of a run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tdls.interpreter.observation.operation import DIALECT, INSERTED

if TYPE_CHECKING:
    from tdls.interpreter.model import RunDiagnostic, RunResult

_MENTION = f"{DIALECT}."
_INSERTED = tuple(f'"{name}"' for name in INSERTED)


def shows_insertions(result: RunResult) -> bool:
    """Tell whether `result` mentions anything that was inserted."""
    return _MENTION in result.printed or any(map(_mentions_insertions, result.diagnostics))


def _mentions_insertions(diagnostic: RunDiagnostic) -> bool:
    return _MENTION in diagnostic.message or any(map(_mentions_insertions, diagnostic.notes))


def without_insertions(result: RunResult) -> RunResult:
    """Return `result` without the lines of what MLIR prints and says that show inserted operations."""
    return replace(
        result, diagnostics=tuple(map(_restored, result.diagnostics)), printed=_without_lines(result.printed)
    )


def _restored(diagnostic: RunDiagnostic) -> RunDiagnostic:
    return replace(
        diagnostic, message=_without_lines(diagnostic.message), notes=tuple(map(_restored, diagnostic.notes))
    )


def _without_lines(printed: str) -> str:
    if DIALECT not in printed:
        return printed
    lines = printed.splitlines(keepends=True)
    return "".join(line for line in lines if not line.lstrip().startswith(_INSERTED))
