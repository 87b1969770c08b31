"""The rule `refused-payload`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.handles.evaluation.payload_run import ShortfallKind
from tdls.analysis.handles.findings import HeldNames, listed
from tdls.analysis.handles.matches import required_names
from tdls.analysis.handles.operations.executing import evaluated
from tdls.analysis.handles.passed_names import in_called
from tdls.analysis.handles.payload.names import is_refused, kinds_taken, listed_kinds
from tdls.analysis.rule import Rule
from tdls.analysis.rules.handles.empty_handle import about_shortfalls
from tdls.semantic.transform_dialect import suppresses_failures
from tdls.syntax.tree import Form
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation, Value


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report transformations of payload operations of another kind, by their names or in the written payload."""
    held = HeldNames(context)
    by_name = [finding for operation in operations for finding in _by_name(held, operation)]
    calls = [operation for operation in operations if not _may_fail(operation)]
    by_name += [finding for finding in in_called(held, calls, _by_name) if finding.level is RULE.level]
    certain = [finding for finding in by_name if finding.level is RULE.level]
    yield from certain
    reported = {finding.span for finding in certain}
    for finding in about_shortfalls(context, RULE, frozenset({ShortfallKind.KINDS})):
        if finding.span not in reported:
            reported.add(finding.span)
            yield finding
    yield from (finding for finding in by_name if finding.span not in reported)


def _by_name(held: HeldNames, operation: Operation) -> Iterator[Finding]:
    definition = operation.definition
    if definition is None or operation.syntax.broken or operation.syntax.form is Form.STRUCTURAL:
        return
    catalogue = held.context.catalogue
    for operand in definition.operands:
        kinds = kinds_taken(operation, operand)
        target = next(iter(operation.group(operand.name)), None) if kinds else None
        names = held.of(target) if target is not None else None
        refused = frozenset(name for name in names or () if is_refused(name, kinds, catalogue))
        if target is None or not refused or _may_fail(operation) or target in evaluated(held.context).empty:
            continue
        note = SectionNote(f"`{target.shown}` is defined here", target.span)
        message = f"`{operation.name}` applies to {listed_kinds(kinds)} only, but `{target.shown}`"
        if refused == names:
            message += f" holds {listed(names)}"
            yield Finding(RULE.name, RULE.level, message, operation.location, (note,), _help(held, target, names))
        elif target.operation is not None and refused <= (required_names(target.operation) or frozenset()):
            help_text = "match these operations into a handle of their own"
            message += f" holds {listed(refused)} where there is one"
            yield Finding(RULE.name, Level.HINT, message, operation.location, (note,), help_text)


def _may_fail(operation: Operation) -> bool:
    """Tell whether an operation around it suppresses a failure, or tries another region after one."""
    return any(len(outer.regions) > 1 or suppresses_failures(outer) for outer in operation.ancestors())


def _help(held: HeldNames, target: Value, names: frozenset[str]) -> str | None:
    definitions = map(held.context.catalogue.operation, names)
    has_bodies = all(definition is not None and definition.regions for definition in definitions)
    return f"match the operations to transform inside of it: `in {target.shown}`" if has_bodies else None


RULE: Final = Rule(
    code="TD312",
    name="refused-payload",
    level=Level.WARNING,
    summary="The operation does not apply to payload operations of this kind",
    documentation="""\
Most transformations apply to one kind of payload operation: those of `transform.structured` to
structured operations such as `linalg.matmul` (the interface `LinalgOp`), or to all that can be tiled
(`TilingInterface`), those of `transform.loop` to loops. With another operation in the handle they fail
when the script runs. The payload of a handle is known by the names that a match requires, by the type of
the handle, or from the payload in the script's file.

It is a hint where a match finds operations of several names, and the transformation applies to some of
them only.

Nothing is reported for operations of a project, which may implement an interface in its own sources, nor
where a failure is tolerated: in `transform.alternatives` and with `failures(suppress)`.

**Fix:** give the operation a handle to operations that it transforms: match these operations inside of
the function or loop, or navigate to them.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %func : (!transform.any_op) -> !transform.any_op
    transform.annotate %generic "generic" : !transform.any_op
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %func : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %matmul : (!transform.any_op) -> !transform.any_op
    transform.annotate %generic "generic" : !transform.any_op
    transform.yield
  }
}
""",
    check=check,
    looks_at=OperationKind.TRANSFORM,
    shows_when_run=True,
)
