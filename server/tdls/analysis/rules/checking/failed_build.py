"""The rule `failed-build`; `python_builders/findings.py` reports it of programs that build scripts."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.level import Level

RULE: Final = Rule(
    code="TD402",
    name="failed-build",
    level=Level.ERROR,
    found_by_runs="tdls check-python",
)
