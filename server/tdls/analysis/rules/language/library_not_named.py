"""The rule `library-not-named`."""

from __future__ import annotations

from typing import Final

from tdls.analysis.rule import Rule
from tdls.text.level import Level

RULE: Final = Rule(
    code="TD111",
    name="library-not-named",
    level=Level.HINT,
    rests_on_repository=True,
)
