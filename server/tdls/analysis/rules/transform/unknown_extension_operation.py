"""The rule `unknown-extension-operation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.finding import Finding
from tdls.analysis.rule import Rule
from tdls.analysis.rules.transform import unknown_transform_operation
from tdls.semantic.transform_dialect import is_transform_name
from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context


def find(context: Context) -> Iterator[Finding]:
    """Report transform operations that no source defines, unless they look like slips of defined ones."""
    if not context.catalogue.is_complete:
        return
    unknown = {
        operation.location: operation.name
        for operation in context.model.walk()
        if operation.definition is None and is_transform_name(operation.name)
    }
    if unknown:
        reported = {finding.span for finding in unknown_transform_operation.find(context)}
        looked = ", ".join(context.catalogue.looked_in)
        for span, name in unknown.items():
            if span not in reported:
                message = f"no source knows `{name}`, so nothing is said about its handles"
                yield Finding(RULE.name, RULE.level, message, span, help=f"tdls looked in {looked}")


RULE: Final = Rule(
    code="TD206",
    name="unknown-extension-operation",
    level=Level.HINT,
    summary="No source knows the transform operation, so tdls cannot tell what it does to handles",
    documentation="""\
Operations of a project's own extension are found in the sources of the project: TableGen files with
the C++ beside them, Python, IRDL, and in Python bindings that are installed. None of the places
that the message names has this one. The script is read all the same, but what the operation
consumes or produces is not known, and nothing is reported that may rest on it. It is reported once
in a file.

**Fix:** open the folder that has the sources, or name it as `project.definitions` in `tdls.toml`.
Without sources, describe the operation in a catalogue file (`catalogues`). `tdls catalogue sources`
lists what was found where, and what was not understood.
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
    find=find,
    told_once=True,
)
