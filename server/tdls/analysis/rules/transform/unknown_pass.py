"""The rule `unknown-pass`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix
from tdls.analysis.rule import FixKind, Rule
from tdls.catalogue.passes import mistyped_passes, tool_without
from tdls.semantic.transform_dialect import APPLY_REGISTERED_PASS, PASS_NAME
from tdls.text.level import Level
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import NamedAttribute


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report names of passes that are typing errors of upstream's or the project's, or that the script's tool lacks."""
    if not context.catalogue.is_complete:
        return
    for operation in operations:
        if not operation.syntax.broken:
            attribute = operation.syntax.attribute(PASS_NAME)
            if attribute is not None:
                yield from _judged(context, attribute)


def _judged(context: Context, attribute: NamedAttribute) -> Iterator[Finding]:
    if attribute.value is None or not attribute.value.startswith('"'):
        return
    name = attribute.value[1:-1]
    meant = context.catalogue.ask(mistyped_passes, name)
    tool = context.catalogue.ask(tool_without, name)
    if not meant and not tool:
        return
    start = attribute.value_start + 1
    span = Span(start, start + len(name))
    fix = SectionFix(f"Change to `{meant[0]}`", (SectionEdit(span, meant[0]),)) if len(meant) == 1 else None
    names = " or ".join(f"`{candidate}`" for candidate in meant)
    lacking = f"`{tool}`, which runs scripts here, has no pass `{name}`"
    yield Finding(
        RULE.name,
        RULE.level,
        lacking if tool else f"there may be no pass `{name}`: neither LLVM nor the project has one of this name",
        span,
        help=f"did you mean {names}?" if meant else None,
        fixes=(fix,) if fix is not None else (),
    )


RULE: Final = Rule(
    code="TD224",
    name="unknown-pass",
    level=Level.WARNING,
    check=check,
    looks_at=APPLY_REGISTERED_PASS,
    shows_when_run=True,
    fix=FixKind.UNSAFE,
)
