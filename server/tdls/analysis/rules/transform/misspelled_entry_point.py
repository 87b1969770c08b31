"""The rule `misspelled-entry-point`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.rule import FixKind, Rule
from tdls.semantic.transform_dialect import ENTRY_POINT
from tdls.text.similarity import is_typing_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation


def check(context: Context, sequences: Sequence[Operation]) -> Iterator[Finding]:
    """Report a slip in the name of the sequence that MLIR begins with, where no sequence of the file has that name."""
    for sequence in sequences:
        name, span = sequence.syntax.symbol_name or "", sequence.syntax.symbol_span
        is_slip = is_typing_error(name, ENTRY_POINT) and not name.startswith(ENTRY_POINT)
        if span is None or sequence.syntax.broken or not is_slip or context.is_called(name):
            continue
        if context.has_scripts_without(ENTRY_POINT):
            message = f"MLIR begins with `@{ENTRY_POINT}`, which is not there, and not with `@{name}`"
            fix = SectionFix(f"Change to `@{ENTRY_POINT}`", (SectionEdit(span, f"@{ENTRY_POINT}"),))
            yield Finding(RULE.name, RULE.level, message, span, help=f"did you mean `@{ENTRY_POINT}`?", fixes=(fix,))


RULE: Final = Rule("misspelled-entry-point", check=check, shows_when_run=True, fix=FixKind.UNSAFE)
