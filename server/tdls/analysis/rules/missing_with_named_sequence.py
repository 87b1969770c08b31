"""The rule `missing-with-named-sequence`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.rule import Rule
from tdls.text.diagnostic import Diagnostic, Level, Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.context import Context
    from tdls.semantic.model import Operation
    from tdls.syntax.sections import Section

_NAMED_SEQUENCE = "transform.named_sequence"
_ATTRIBUTE = "transform.with_named_sequence"


def find(context: Context) -> Iterator[Diagnostic]:
    """Report modules with named sequences that do not carry the attribute, once each."""
    seen: set[int] = set()
    for operation in context.model.walk():
        if operation.name != _NAMED_SEQUENCE:
            continue
        parent = operation.parent
        if id(parent) in seen or (parent is None and not context.is_first(_NAMED_SEQUENCE)):
            continue
        seen.add(id(parent))
        finding = _check(operation, *_around(context, operation))
        if finding is not None:
            yield finding


def _around(context: Context, operation: Operation) -> tuple[Operation | None, Section | None]:
    """Return the operation around `operation`, and the section its place belongs to if that is another one."""
    if operation.parent is not None or context.container is None:
        return operation.parent, None
    return context.container_operation, context.container.section


def _check(operation: Operation, around: Operation | None, section: Section | None) -> Diagnostic | None:
    if around is not None:
        is_unknown = around.syntax.broken or around.definition is None
        if is_unknown or around.syntax.attribute(_ATTRIBUTE) is not None:
            return None
    message = f"the module around a named sequence needs the attribute `{_ATTRIBUTE}`"
    notes = (Note("this module lacks it", around.location, origin=section),) if around is not None else ()
    help_text = f"write `module attributes {{{_ATTRIBUTE}}} {{`"
    return Diagnostic(RULE.name, RULE.level, message, operation.location, notes, help_text)


RULE: Final = Rule(
    code="TD202",
    name="missing-with-named-sequence",
    level=Level.ERROR,
    summary="A named sequence stands in a module that is not marked for it",
    documentation="""\
`transform.named_sequence` is allowed only in an operation with the attribute
`transform.with_named_sequence`. The attribute tells MLIR to verify the module as a transform
library.

**Fix:** write `module attributes {transform.with_named_sequence} {`.
""",
    example_bad="""\
module {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
""",
    find=find,
)
