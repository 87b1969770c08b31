"""How much of what a run says is shown: a script can print without end, people and editors cannot read that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tdls.interpreter.model import RunDiagnostic, RunLevel
from tdls.limits import RUN_DIAGNOSTICS, RUN_PRINTED

if TYPE_CHECKING:
    from tdls.interpreter.model import RunResult


def bounded(result: RunResult) -> RunResult:
    """Return `result` with what may be shown of it, and with words on what is left out."""
    left_out = len(result.diagnostics) - RUN_DIAGNOSTICS.most
    diagnostics = result.diagnostics
    if left_out > 0:
        more = RunDiagnostic(RunLevel.REMARK, f"{left_out:,} more diagnostics of this run are not shown")
        diagnostics = (*diagnostics[: RUN_DIAGNOSTICS.most], more)
    return replace(result, printed=_cut(result.printed), console=_cut(result.console), diagnostics=diagnostics)


def _cut(text: str) -> str:
    left_out = len(text) - RUN_PRINTED.most
    return text if left_out <= 0 else f"{text[: RUN_PRINTED.most]}\n({left_out:,} more characters are not shown)\n"
