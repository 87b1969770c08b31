"""The rule `handle-count`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.effects import leaves_payload_alone
from tdls.analysis.handles.findings import handle_findings
from tdls.analysis.handles.held_names import HeldNames
from tdls.analysis.handles.payload.certainties import Multiplicity
from tdls.analysis.meaning.structured_loops import have_one_output
from tdls.analysis.rule import Rule
from tdls.catalogue.model import Arity
from tdls.semantic.handle_types import HandleKind
from tdls.syntax.tree import Form
from tdls.text.diagnostic import Diagnostic, Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation, Value

_SPLIT: Final = "transform.split_handle"
_MATCH: Final = "transform.structured.match"
_FINDS: Final = "NavigationTransformOpTrait"
_FOREACH: Final = "transform.foreach"


def find(context: Context) -> Iterator[Diagnostic]:
    """Report operations that fail since they return, or are given, another number of handles or operations."""
    held = HeldNames(context)
    for operation in context.model.walk():
        if operation.syntax.broken or operation.syntax.form is Form.STRUCTURAL:
            continue
        message = None
        if operation.name == _SPLIT:
            message = _about_split(context, operation)
        elif operation.name == _MATCH:
            message = _about_match(context, operation)
        elif operation.definition is not None:
            message = _about_outputs(held, operation, operation.definition)
        if message is not None:
            yield Diagnostic(RULE.name, RULE.level, message, operation.location)


def _about_split(context: Context, operation: Operation) -> str | None:
    handle, results = next(iter(operation.operands), None), len(operation.results)
    too_small = operation.syntax.attribute("fail_on_payload_too_small")
    may_be_short = too_small is not None and too_small.value != "true"
    may_overflow = operation.syntax.attribute("overflow_result") is not None
    if handle is None or results == 1 or may_be_short or may_overflow or not _is_one(context, handle):
        return None
    return f"`{handle.shown}` holds one payload operation, which cannot be split into {results or 'no'} handles"


def _is_one(context: Context, handle: Value) -> bool:
    """Tell whether `handle` holds exactly one payload operation, if it holds any."""
    owner = handle.operation or (handle.block.region.parent if handle.block is not None else None)
    if owner is None:
        return False
    if handle.operation is None and owner.name == _FOREACH:
        return True
    run = handle_findings(context).run_of(owner)
    if run is None or not run.begins or not run.is_known(handle) or run.kind(handle) is not HandleKind.OPERATIONS:
        return False
    payload = run.set_of(handle)
    is_one = payload.facts.multiplicity is Multiplicity.ONE
    return is_one and (payload.maker is None or payload.maker.has_trait(_FINDS))


def _about_match(context: Context, operation: Operation) -> str | None:
    """A match looks into one operation; that a handle has more is known only of a payload that is not changed yet."""
    target, block = next(iter(operation.group("target")), None), operation.block
    maker = target.operation if target is not None else None
    run = handle_findings(context).run_of(operation)
    if target is None or maker is None or block is None or maker.block is not block or run is None:
        return None
    if not run.is_known(target) or run.set_of(target).facts.multiplicity is not Multiplicity.SEVERAL:
        return None
    if not all(leaves_payload_alone(between) for between in block.operations[maker.index : operation.index]):
        return None
    return f"`{target.shown}` holds several payload operations, but a match looks into exactly one"


def _about_outputs(held: HeldNames, operation: Operation, definition: OperationDefinition) -> str | None:
    """Some operations have a result for each initial value of what they transform, of which there is one at least."""
    count = next(
        (result.count for result in definition.results if result.count is not None and result.count.outputs_of), None
    )
    others = [result for result in definition.results if result.count is None]
    results = len(operation.results)
    if count is None or not results or results < len(others) or any(group.arity is not Arity.ONE for group in others):
        return None
    target = next(iter(operation.group(count.outputs_of)), None)
    has_one_output = have_one_output(held.context.catalogue, held.of(target) if target is not None else None)
    expected = len(others) + 1
    if results == expected or (results > expected and not has_one_output):
        return None
    least = "" if has_one_output else "at least "
    parts = f"one for the initial value, and {', '.join(f'`{group.name}`' for group in others)}"
    return f"tiling this reduction returns {least}{expected} handles: {parts}; here are {results}"


RULE: Final = Rule(
    code="TD212",
    name="handle-count",
    level=Level.WARNING,
    summary="A handle holds, or an operation returns, another number than is asked for",
    documentation="""\
MLIR finds out only when the script runs how many handles some operations return.
`transform.split_handle` needs a result for each payload operation of its operand; the payload root,
the elements of `transform.foreach`, and parents of these are single operations. Tiling a reduction
returns a handle for each initial value, and three others. A match looks into a single operation:
where the payload stands beside the script, it shows when a handle has several.

**Fix:** take as many results as there are handles. `transform.split_handle` accepts fewer payload
operations with `{fail_on_payload_too_small = false}`, and more with `{overflow_result = N}`. Several
operations are looked into one by one in `transform.foreach`.
""",
    example_bad="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmuls = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.foreach %matmuls : !transform.any_op {
    ^bb0(%matmul: !transform.any_op):
      %first, %second = transform.split_handle %matmul
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.annotate %first "first" : !transform.any_op
    }
    transform.yield
  }
}
""",
    example_good="""\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmuls = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %matmuls
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %first "first" : !transform.any_op
    transform.yield
  }
}
""",
    find=find,
    shows_when_run=True,
)
