"""The rule `unfitting-types`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.rule import Rule
from tdls.analysis.verifying.type_relations import by_traits, parameters_of_types
from tdls.analysis.verifying.verifiers import verifier_of
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding
    from tdls.analysis.verifying.complaint import Complaint
    from tdls.semantic.model import Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report operations whose operands and results have types that do not fit each other."""
    for operation in operations:
        definition = operation.definition
        if definition is None or operation.syntax.broken:
            continue
        found = next(_complaints(context, operation), None)
        if found is not None:
            yield found.finding(RULE.name, RULE.level)


def _complaints(context: Context, operation: Operation) -> Iterator[Complaint]:
    yield from parameters_of_types(context, operation)
    yield from by_traits(context, operation)
    for check in verifier_of(operation).types:
        yield from check(context, operation)


RULE: Final = Rule(
    code="TD221",
    name="unfitting-types",
    level=Level.ERROR,
    summary="Operands and results of an operation have types that do not fit each other",
    documentation="""\
Some operations only take and return values of one type, such as `transform.merge_handles`, or return the
kind of an operand: the parts of `transform.split_handle` are handles to operations if its operand is
one. A parameter has to be able to hold its values: one with a type, such as `!transform.param<i64>`,
holds integers of at most 64 bits only.

**Fix:** give the operands or results the type that the message names; `transform.cast` changes the type of a
handle.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %count = transform.num_associations %root : (!transform.any_op) -> !transform.param<i32>
    transform.debug.emit_param_as_remark %count : !transform.param<i32>
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %count = transform.num_associations %root : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %count : !transform.param<i64>
    transform.yield
  }
}
""",
    check=check,
    looks_at=OperationKind.TRANSFORM,
)
