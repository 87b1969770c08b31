"""The rule `malformed-suppression`; `suppression/silencing.py` reports it."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.level import Level

RULE: Final = Rule(
    code="TD903",
    name="malformed-suppression",
    level=Level.WARNING,
    is_silent=True,
)
