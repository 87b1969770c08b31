"""The rule `unused-suppression`; `suppression/silencing.py` reports it after all other rules have run."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import FixKind, Rule
from tdls.text.level import Level

RULE: Final = Rule(
    code="TD901",
    name="unused-suppression",
    level=Level.WARNING,
    is_silent=True,
    fix=FixKind.SAFE,
)
