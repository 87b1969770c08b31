"""The rule `template-placeholder`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.file.prefilter import template_in
from tdls.analysis.rule import Rule
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report the first placeholder of a section."""
    template = template_in(context.section)
    if template is not None:
        message = "this text is a template: nothing is reported that a placeholder can change"
        help_text = "check the text that is made of it, too"
        yield Finding(RULE.name, RULE.level, message, template.first, help=help_text)


RULE: Final = Rule(
    code="TD110",
    name="template-placeholder",
    level=Level.HINT,
    summary="The text is a template, whose placeholders something else fills in",
    documentation="""\
`{{name}}`, `${name}`, `$NAME`, `@NAME@`, `%NAME%`, `<<name>>` and the like stand for text that a program
or a build fills in. tdls does not know its text: nothing is reported in the operation that a placeholder
is in, but for handles that are used after they were consumed, and nothing that a placeholder can change
in the same operation at the top level. Where `{% ... %}`, `#ifdef` and the like choose what is left of
the text, nothing is reported at all. No named sequence is called missing in such a file. It is reported
once in a file. Text that MLIR can read where it stands, such as an attribute of the name `__id0__`, is
no placeholder unless the setting `placeholders` has its shape: with `placeholders = ["__*__"]`, any name
between two times two underscores is one.

**Fix:** none is needed. To check the result, check the text that is made of the template.
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
    once_per_file=True,
)
