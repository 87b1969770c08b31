"""The rule `fails-on-payload`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.handles.shortfalls import ShortfallKind
from tdls.analysis.rule import Rule
from tdls.analysis.rules.handles.finds_nothing import about_shortfalls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding


def find(context: Context) -> Iterator[Finding]:
    """Report operations that fail on the payload of the script."""
    return about_shortfalls(context, RULE, _FAILURES)


_FAILURES: Final = frozenset(ShortfallKind) - {ShortfallKind.EMPTY, ShortfallKind.UNMET, ShortfallKind.WRONG}


RULE: Final = Rule("fails-on-payload", find=find, shows_when_run=True)
