"""The rule `wrong-reduction`."""

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
    """Report reductions of the payload that tiling changes."""
    return about_shortfalls(context, RULE, frozenset({ShortfallKind.WRONG}))


RULE: Final = Rule("wrong-reduction", find=find, shows_when_run=True)
