"""The rule `missing-with-named-sequence`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.rule import Rule
from tdls.text.diagnostic import Diagnostic, Level, Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.context import Context

_NAMED_SEQUENCE = "transform.named_sequence"
_ATTRIBUTE = "transform.with_named_sequence"


def find(context: Context) -> Iterator[Diagnostic]:
    """Report modules with named sequences that do not carry the attribute, once each."""
    seen: set[int | None] = set()
    for operation in context.model.walk():
        if operation.name != _NAMED_SEQUENCE:
            continue
        parent = operation.parent
        key = id(parent) if parent is not None else None
        if key in seen or (parent is not None and (parent.syntax.broken or parent.definition is None)):
            continue
        seen.add(key)
        if parent is not None and parent.syntax.attribute(_ATTRIBUTE) is not None:
            continue
        message = f"the module around a named sequence needs the attribute `{_ATTRIBUTE}`"
        notes = (Note("this module lacks it", parent.location),) if parent is not None else ()
        help_text = f"write `module attributes {{{_ATTRIBUTE}}} {{`"
        yield Diagnostic(RULE.name, RULE.level, message, operation.location, notes, help_text)


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
