"""The rules `repeated-payload-operation` and `possibly-repeated-payload-operation`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from tdls.analysis.handles.explanation import repetition
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.rule import FixKind, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding


def find(context: Context, *, is_certain: bool = True) -> Iterator[Finding]:
    """Report consumed handles that hold, or may hold, a payload operation more than once."""
    rule = RULE if is_certain else POSSIBLE
    for repeated in handle_findings(context).repeated:
        if repeated.is_certain == is_certain:
            yield repetition(context, repeated, rule.name, rule.level)


RULE: Final = Rule("repeated-payload-operation", find=find, ranks_fixes=True, shows_when_run=True, fix=FixKind.UNSAFE)
POSSIBLE: Final = Rule(
    "possibly-repeated-payload-operation",
    find=partial(find, is_certain=False),
    ranks_fixes=True,
    shows_when_run=True,
    fix=FixKind.UNSAFE,
)
