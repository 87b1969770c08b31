"""The rule `unknown-payload-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.meaning.payload_names import unknown_payload_names
from tdls.analysis.rule import FixKind, Rule
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report names of payload operations that are typing errors: no payload has such an operation."""
    for unknown in unknown_payload_names(context):
        if unknown.is_typing_error:
            yield Finding(
                RULE.name,
                RULE.level,
                f"unknown payload operation `{unknown.spelled.name}`: LLVM has none of this name",
                unknown.spelled.span,
                help=f"did you mean `{unknown.meant[0]}`?",
                fixes=unknown.fixes(),
            )


RULE: Final = Rule(
    code="TD204",
    name="unknown-payload-operation",
    level=Level.WARNING,
    summary="The name of a payload operation is misspelled, so that nothing ever matches it",
    documentation="""\
Scripts name payload operations in strings: `ops{["linalg.matmul"]}`, `op_name = "func.func"`,
`!transform.op<"scf.for">`. MLIR takes any string there. A name that no operation has matches nothing,
the handle is empty, and the rest of the script succeeds and does nothing.

Only names of LLVM's own dialects that are one letter away from an operation are reported, and names
without their dialect. Dialects of projects are not judged; for other names that LLVM does not have
see `unfamiliar-payload-operation`.

**Fix:** take the name the message suggests.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmull"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %matmul : !transform.any_op
    transform.yield
  }
}
""",
    find=find,
    is_silent=True,
    fix=FixKind.UNSAFE,
)
