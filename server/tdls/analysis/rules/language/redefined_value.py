"""The rule `redefined-value`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.meaning.subject import concerns_of, has_known_regions
from tdls.analysis.rule import Rule
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report names that are defined again while they are visible."""
    for again in context.model.redefinitions:
        message = f"redefinition of the value `{again.name}`"
        note = SectionNote(f"`{again.name}` is first defined here", again.first)
        # An unknown operation may isolate its regions.
        is_known = concerns_of(context).is_only_name(again.name) and has_known_regions(again.operation)
        yield Finding(
            RULE.name,
            RULE.level,
            message,
            again.span,
            (note,),
            "give one of the two another name",
            subject=concerns_of(context).of(again.operation, is_certain=is_known),
        )


RULE: Final = Rule(
    code="TD102",
    name="redefined-value",
    level=Level.ERROR,
    summary="A value name is defined twice",
    documentation="""\
A name stands for one value. It may be defined again only where the first definition is out of
sight: in another region that is not nested in the first one's scope, or behind a boundary that is
isolated from above.

**Fix:** give the second value a name of its own. In a script that refines a handle step by step
this is also a chance to say what changed: `%tiled`, `%vectorized`.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loops = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.match ops{["scf.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loops { factor = 2 } : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %affine = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.match ops{["scf.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.annotate %affine "seen" : !transform.any_op
    transform.loop.unroll %loops { factor = 2 } : !transform.any_op
    transform.yield
  }
}
""",
    find=find,
    holds_for_any_definition=True,
)
