"""The rule `failed-run`; `cli/checking/script_runs.py` reports it from runs of MLIR's interpreter."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.level import Level

RULE: Final = Rule(
    code="TD401",
    name="failed-run",
    level=Level.ERROR,
    found_by_runs="tdls check --run",
)
