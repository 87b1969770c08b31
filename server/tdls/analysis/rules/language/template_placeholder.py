"""The rule `template-placeholder`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.rule import Rule
from tdls.syntax.layout import first_placeholder
from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report the first placeholder of a section."""
    place = first_placeholder(context.section.text)
    if place is not None:
        message = "this text is a template: what surrounds a placeholder is not checked"
        yield Finding(RULE.name, RULE.level, message, place, help="check the text that is made of it")


RULE: Final = Rule(
    code="TD110",
    name="template-placeholder",
    level=Level.HINT,
    summary="The text is a template, whose placeholders something else fills in",
    documentation="""\
`{{name}}`, `{% ... %}`, `${name}`, `@NAME@` and `__id0__` stand for text that a program or a build
fills in. Nobody can tell what it will be, so nothing is reported in an operation at the top level
that has a placeholder in it, and no named sequence is called missing in such a file. It is reported
once in a file.

**Fix:** none is needed. To check what comes out, check the text that is made of the template.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [@TILE_SIZE@]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
""",
    find=find,
    told_once=True,
)
