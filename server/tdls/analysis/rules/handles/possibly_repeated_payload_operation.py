"""The rule `possibly-repeated-payload-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.handles.explanation import repetition
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.rule import FixKind, Rule
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding


def find(context: Context) -> Iterator[Finding]:
    """Report consumed handles that may hold a payload operation more than once."""
    for found in handle_findings(context).repeated:
        if not found.is_certain:
            yield repetition(context, found, RULE.name, RULE.level)


RULE: Final = Rule(
    code="TD305",
    name="possibly-repeated-payload-operation",
    level=Level.HINT,
    find=find,
    ranks_fixes=True,
    shows_when_run=True,
    fix=FixKind.UNSAFE,
)
