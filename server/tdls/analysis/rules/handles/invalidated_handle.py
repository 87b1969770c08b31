"""The rule `invalidated-handle`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.handles.explanation import invalid_use
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.rule import Rule
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding


def find(context: Context) -> Iterator[Finding]:
    """Report uses of handles that were invalidated through another handle."""
    for use in handle_findings(context).invalid:
        if use.is_certain:
            yield invalid_use(context, use, RULE.name, RULE.level)


RULE: Final = Rule(
    code="TD302",
    name="invalidated-handle",
    level=Level.WARNING,
    find=find,
    ranks_fixes=True,
    shows_when_run=True,
    holds_for_any_definition=True,
)
