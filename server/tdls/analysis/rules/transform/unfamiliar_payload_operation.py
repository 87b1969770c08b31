"""The rule `unfamiliar-payload-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.meaning.payload_names import unknown_payload_names
from tdls.analysis.rule import Rule
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report names of payload operations that LLVM does not have, but another project may have."""
    for unknown in unknown_payload_names(context):
        if unknown.is_typing_error:
            continue
        meant = " or ".join(f"`{name}`" for name in unknown.meant)
        nearest = context.catalogue.operation(unknown.meant[0]) if unknown.meant else None
        is_of_project = nearest is not None and not nearest.versions
        reason = "no source of the project has" if is_of_project else "LLVM has none of"
        yield Finding(
            RULE.name,
            RULE.level,
            f"possibly unknown payload operation `{unknown.spelled.name}`: {reason} this name",
            unknown.spelled.span,
            help=f"did you mean {meant}?" if meant else "if there is none, nothing is ever matched",
            fixes=unknown.fixes(),
        )


RULE: Final = Rule(
    code="TD205",
    name="unfamiliar-payload-operation",
    level=Level.HINT,
    summary="The name of a payload operation is none that LLVM has, so that nothing may ever match it",
    documentation="""\
The name belongs to a dialect of LLVM, or looks as if it should, and none of the LLVM versions that tdls
knows has such an operation; or it looks like another one in a dialect of the project. It may be that of
another version, or of a fork. If it is not, it matches nothing, and the rest of the script succeeds and
does nothing. See `unknown-payload-operation` for certain cases.

**Fix:** correct the name. Where your build of MLIR has the operation, describe it in a catalogue
file and pass that with `--catalogue FILE`.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.gemm"]} in %root
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
)
