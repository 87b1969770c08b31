"""The rules `invalidated-handle` and `possibly-invalidated-handle`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from tdls.analysis.handles.explanation import invalid_use
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.rule import FixKind, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding


def find(context: Context, *, is_certain: bool = True) -> Iterator[Finding]:
    """Report uses of handles that were, or may have been, invalidated through another handle."""
    rule = RULE if is_certain else POSSIBLE
    for use in handle_findings(context).invalid:
        if use.is_certain == is_certain:
            yield invalid_use(context, use, rule.name, rule.level)


RULE: Final = Rule(
    "invalidated-handle", find=find, ranks_fixes=True, shows_when_run=True, holds_for_any_definition=True
)
POSSIBLE: Final = Rule(
    "possibly-invalidated-handle",
    find=partial(find, is_certain=False),
    ranks_fixes=True,
    fix=FixKind.UNSAFE,
    shows_when_run=True,
    holds_for_any_definition=True,
)
