"""The rule `unknown-suppressed-rule`; `suppression/silencing.py` reports it."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import FixKind, Rule
from tdls.text.level import Level

RULE: Final = Rule(
    code="TD902",
    name="unknown-suppressed-rule",
    level=Level.WARNING,
    is_silent=True,
    fix=FixKind.UNSAFE,
)
