"""The rule `unknown-extension-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.file.finding import Finding
from tdls.analysis.rule import Rule
from tdls.analysis.rules.transform import unknown_transform_operation
from tdls.text.level import Level

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
            yield Finding(RULE.name, RULE.level, message, operation.location, help=help_text)


RULE: Final = Rule(
    code="TD206",
    name="unknown-extension-operation",
    level=Level.HINT,
    summary="No source defines the transform operation, so its effects on handles are unknown",
    documentation="""\
Operations of a project's own extension are found in the sources of the project: TableGen files with the
C++ next to them, Python, IRDL, and in Python bindings that are installed. None of the places that the
message names has this one. The script is read all the same, but what the operation consumes or produces
is not known, and nothing is reported that may rest on it. It is reported once in a file.

**Fix:** open the folder that has the sources, or name it as `project.definitions` in `tdls.toml`.
Without sources, describe the operation in a catalogue file (`catalogues`). `tdls catalogue sources`
lists the definitions with their places, and code that was not understood.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.my_project.annotate_kernels %root : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.annotate %root "kernel" : !transform.any_op
    transform.yield
  }
}
""",
    check=check,
    looks_at=OperationKind.UNKNOWN,
    once_per_file=True,
)
