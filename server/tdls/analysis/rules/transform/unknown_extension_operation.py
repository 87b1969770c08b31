"""The rule `unknown-extension-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.edits import name_of
from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.rule import Rule
from tdls.analysis.rules.transform import unknown_transform_operation
from tdls.semantic.transform_dialect import TRANSFORM

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report transform operations that no source defines, unless they look like slips of defined ones."""
    if not context.catalogue.is_complete:
        return
    reported = {finding.span for finding in unknown_transform_operation.check(context, operations)}
    looked = ", ".join(context.catalogue.looked_in)
    for operation in operations:
        is_own = operation.definition is None and context.catalogue.renamed(operation.name) is None
        if is_own and operation.location not in reported:
            help_text = f"tdls looked in {looked}; `project.definitions` in the settings names more places"
            message = f"no source knows `{operation.name}`, so nothing is said about its handles"
            fixes: tuple[SectionFix, ...] = ()
            meant = _only_one_ending_alike(context, operation.name)
            if meant is not None:
                help_text = f"did you mean `{meant}`? {help_text}"
                fixes = (SectionFix(f"Change to `{meant}`", (SectionEdit(name_of(operation), meant),)),)
            yield Finding(RULE.name, RULE.level, message, operation.location, help=help_text, fixes=fixes)


def _only_one_ending_alike(context: Context, name: str) -> str | None:
    """Return the only operation that ends in the last word of `name`: `transform.apply_licm` for `transform.licm`."""
    if name.count(".") != 1:
        return None  # of an extension of a project
    word = name.partition(".")[2]
    for sign in (".", "_"):
        names = [each for each in context.catalogue.operation_names(TRANSFORM) if each.endswith(f"{sign}{word}")]
        if names:
            return names[0] if len(names) == 1 else None
    return None


RULE: Final = Rule("unknown-extension-operation", check=check, once_per_file=True)
