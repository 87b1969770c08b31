"""Comments that silence nothing, and their removal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.rules.checking import unused_suppression
from tdls.analysis.suppression.directives import SuppressionScope
from tdls.analysis.suppression.removal import removal
from tdls.text.diagnostic import Diagnostic, Fix, Tag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.analysis.suppression.suppressions import Entry, PlacedDirective


def unused(file: SourceFile, placed: PlacedDirective, entries: Sequence[Entry]) -> Diagnostic:
    """Return the finding that `entries`, some or all of those of one directive, silence nothing."""
    rule = unused_suppression.RULE
    names = dict.fromkeys(f"`{entry.name.text}`" for entry in entries)
    message = f"nothing to silence {_where(placed)} for {_listed(list(names))}"
    is_whole = len(entries) == len(placed.directive.names)
    action = "Remove the comment" if is_whole else f"Remove {_listed(list(names))} from the comment"
    fix = Fix(action, removal(file, entries), safe=True)
    return Diagnostic(
        rule.name,
        rule.level,
        message,
        placed.place(file, placed.directive.span),
        help=action[0].lower() + action[1:],
        fixes=(fix,),
        tag=Tag.UNNECESSARY,
    )


def _where(placed: PlacedDirective) -> str:
    if placed.directive.scope is SuppressionScope.FILE:
        return "in this file"
    if placed.directive.scope is SuppressionScope.BEGIN:
        return "in this region"
    return "in the next line" if placed.is_alone else "in this line"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
