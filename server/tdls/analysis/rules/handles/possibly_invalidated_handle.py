"""The rule `possibly-invalidated-handle`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.handles.explanation import invalid_use
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.rule import FixKind, Rule
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding


def find(context: Context) -> Iterator[Finding]:
    """Report uses of handles that may have been invalidated through another handle."""
    for use in handle_findings(context).invalid:
        if not use.is_certain:
            yield invalid_use(context, use, RULE.name, RULE.level)


RULE: Final = Rule(
    code="TD303",
    name="possibly-invalidated-handle",
    level=Level.HINT,
    find=find,
    ranks_fixes=True,
    fix=FixKind.UNSAFE,
    shows_when_run=True,
    holds_for_any_definition=True,
)
