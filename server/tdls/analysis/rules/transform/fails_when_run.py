"""The rule `fails-when-run`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.handles.findings import HeldNames, listed
from tdls.analysis.handles.payload.names import implements
from tdls.analysis.rule import Rule
from tdls.analysis.verifying.verifiers import verifier_of
from tdls.settings.keys import MAIN
from tdls.syntax.tree import Form
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Operation


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report operations that no payload makes succeed, and as hints those that another tool has to complete first."""
    held = HeldNames(context)
    for operation in operations:
        verifier = verifier_of(operation)
        if verifier.takes:
            yield from _applied_to_others(held, operation, verifier.takes)
        for check in verifier.crashes:
            yield from (wrong.finding(RULE.name, Level.ERROR) for wrong in check(context, operation))
        for check in verifier.fails:
            yield from (wrong.finding(RULE.name, RULE.level) for wrong in check(context, operation))
        for check in verifier.may_fail:
            yield from (wrong.finding(RULE.name, Level.HINT) for wrong in check(context, operation))


def _applied_to_others(held: HeldNames, operation: Operation, takes: str) -> Iterator[Finding]:
    """Report an operation whose first handle holds payload of which none has the name or interface `takes`."""
    target = operation.operands[0] if operation.operands else None
    names = held.of(target) if target is not None else None
    if target is None or not names or operation.syntax.form is Form.STRUCTURAL:
        return
    if any(_may_be_taken(held.context.catalogue, name, takes) for name in names):
        return
    is_interface = "." not in takes
    wanted = f"operations with the interface `{takes}`" if is_interface else f"`{takes}`"
    yield Finding(
        RULE.name,
        RULE.level,
        f"`{target.shown}` holds {listed(names)}, but `{operation.name}` can be applied to {wanted} only",
        operation.location,
        (SectionNote(f"`{target.shown}` is defined here", target.span),),
        "match those, or make them first" if is_interface else f"apply it to a handle to {wanted}",
    )


def _may_be_taken(catalogue: Catalogue, name: str, takes: str) -> bool:
    if "." in takes:
        return name == takes
    definitions = catalogue.counting(name)
    # The facts about payload operations that only the main branch has do not name all of their interfaces.
    return not definitions or any(
        implements(definition, takes) is not False or definition.versions == (MAIN,) for definition in definitions
    )


RULE: Final = Rule(
    code="TD228",
    name="fails-when-run",
    level=Level.WARNING,
    summary="An operation fails whatever the payload is",
    documentation="""\
MLIR accepts the operation when it reads the script, but its values fit no payload: an order of loops
that names a loop twice or not at all, an interval of 0 by which MLIR divides, more threads than MLIR
launches; or the handle holds operations of a kind that it is never applied to. When the script runs, the
operation fails, some versions of MLIR crash, and some say nothing.

It is an error where the interpreter crashes in every version of MLIR that does not reject the script:
a payload operation such as `arith.constant` in a body that it executes (named sequences, `foreach`,
alternatives).

It is a hint where the script may be a form that another tool completes before it runs: the interpreter
refuses `transform.tune.knob` without `selected` value and `transform.tune.alternatives` without
`selected_region`, and no operand of `transform.smt.constrain_params` can be a `!transform.any_param`,
of which the solver does not know whether it is an integer.

**Fix:** give the attribute a value that fits, or select one.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %factor = transform.tune.knob<"factor"> options = [2, 4] -> !transform.param<i64>
    transform.annotate %root "my.factor" = %factor : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %factor = transform.tune.knob<"factor"> = 4 from options = [2, 4] -> !transform.param<i64>
    transform.annotate %root "my.factor" = %factor : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}
""",
    check=check,
    looks_at=OperationKind.TRANSFORM,
    shows_when_run=True,
)
