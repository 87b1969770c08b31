"""Evaluates the script of a section on its written payload, and dispatches operations to their functions."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.facts import ContextFact
from tdls.analysis.handles.effects import MOST_CALLS
from tdls.analysis.handles.evaluation import navigation, searching, structured_matchers
from tdls.analysis.handles.evaluation.inline_payload import payload_as_written
from tdls.analysis.handles.evaluation.payload_run import PayloadRun, Shortfall, ShortfallKind, Stopped
from tdls.analysis.handles.evaluation.rewriting import disturb_by, rewrite
from tdls.analysis.meaning.sequences import is_applied_to_root, scripts_of
from tdls.catalogue.model import MatchCriterion, RelationKind
from tdls.limits import EVALUATION_STEPS, Budget, OverBudget
from tdls.semantic.symbols import symbol_name, symbols_in
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.evaluation.operations import PayloadOperation
    from tdls.analysis.handles.evaluation.payload_run import Held, KnownContents
    from tdls.limits import Limit
    from tdls.semantic.model import Block, Operation, Value

_MOST_ITERATIONS = 16
_SHORTEST = "with_zip_shortest"
_SUPPRESS = ("suppress", "2")


class Evaluated(NamedTuple):
    """The result of running the script of a section on its written payload."""

    shortfalls: tuple[Shortfall, ...] = ()
    empty: frozenset[Value] = frozenset()
    """Handles that are always empty."""
    stops: tuple[Operation, ...] = ()
    """Failing operations, at which the script ends."""
    contents: Mapping[Value, KnownContents] = MappingProxyType({})
    """The contents of handles that are defined once and are not empty."""
    given_up: Limit | None = None
    """The exceeded limit; the other fields are then empty."""


@ContextFact
def evaluated(context: Context) -> Evaluated:
    """Return the result of running the script; empty without a written payload, or unless there is one entry point."""
    if not context.mentions_transform:
        return Evaluated()
    scripts = [operation for operation in scripts_of(context) if _begins(operation)]
    if len(scripts) != 1:
        return Evaluated()
    payload = payload_as_written(context)
    if payload is None:
        return Evaluated()
    run = PayloadRun(context, payload, Budget(EVALUATION_STEPS, context.size), transfer)
    try:
        _run(run, scripts[0])
    except OverBudget as over:
        return Evaluated(given_up=over.limit)
    stops = (run.stopped_at,) if run.stopped_at is not None else ()
    contents = {value: known for value, known in run.contents.items() if known is not None}
    return Evaluated(tuple(run.found()), run.always_empty(), stops, contents)


def _begins(operation: Operation) -> bool:
    """Tell whether the interpreter begins with an operation: the entry point, or one outside of named sequences."""
    if operation.name == NAMED_SEQUENCE:
        return symbol_name(operation) == ENTRY_POINT
    return is_applied_to_root(operation)


def _run(run: PayloadRun, script: Operation) -> None:
    block = next(script.blocks(), None)
    if block is None or not block.arguments:
        return
    run.hold(block.arguments[0], (run.payload.root,))
    try:
        run.execute(block)
    except Stopped:
        return


def transfer(run: PayloadRun, operation: Operation) -> None:
    """Evaluate an operation, as far as its effect is known."""
    named = _TRANSFERS.get(operation.name)
    (named if named is not None else _by_definition(operation))(run, operation)


def _by_definition(operation: Operation) -> Callable[[PayloadRun, Operation], None]:
    """Return the function that evaluates an operation, by the results and attributes in its definition."""
    definition = operation.definition
    if definition is None:
        return _bodies
    nested = (inner for block in operation.blocks() for inner in block.operations)
    if operation.regions and not all(map(_has_no_effect, nested)):
        return _bodies
    relations = definition.results[0].relations if definition.results else ()
    criteria = {attribute.asks for attribute in definition.attributes} - {None}
    kind = relations[0].kind if relations else None
    if kind is RelationKind.FOUND_IN:
        return searching.match if MatchCriterion.NAMES in criteria else rewrite
    if kind is RelationKind.PART_OF and MatchCriterion.NAMES in criteria:
        return searching.select
    if kind is RelationKind.AROUND:
        return navigation.parents
    if kind is RelationKind.DEFINES:
        return navigation.definers
    if kind is RelationKind.SAME and definition.local and len(definition.operands) == len(definition.results) == 1:
        return navigation.same
    if not definition.results and MatchCriterion.NAMES in criteria and "MatchOpInterface" in definition.traits:
        return searching.match_name
    return rewrite


def _has_no_effect(operation: Operation) -> bool:
    """Tell whether an operation in a body only configures the operation around it, as patterns do."""
    return operation.has_trait("PatternDescriptorOpInterface") or operation.has_trait("IsTerminator")


def _bodies(run: PayloadRun, operation: Operation) -> None:
    """Evaluate an operation with unknown effects, which may run its bodies."""
    run.may_find(operation)
    disturb_by(run, [operation])


def _sequence(run: PayloadRun, operation: Operation) -> None:
    block = next(operation.blocks(), None)
    if block is None or _suppresses(operation):
        _bodies(run, operation)
        return
    run.enter(block, operation.operands)
    run.execute(block)
    _yield_to(run, operation, block)


def _suppresses(operation: Operation) -> bool:
    mode = operation.spelled("failure_propagation_mode") or ""
    return mode.partition(":")[0].strip() in _SUPPRESS


def _include(run: PayloadRun, operation: Operation) -> None:
    run.may_find(operation)
    callee = run.context.callee(operation)
    block = next(callee.blocks(), None) if callee is not None else None
    if block is None or run.depth >= MOST_CALLS or _suppresses(operation):
        disturb_by(run, [operation])
        return
    run.call(operation, block)
    _yield_to(run, operation, block)


def _yield_to(run: PayloadRun, operation: Operation, block: Block) -> None:
    terminator = block.terminator
    for result, value in zip(operation.results, terminator.operands if terminator is not None else (), strict=False):
        if value is not None:
            run.pass_on(value, result)


def _foreach(run: PayloadRun, operation: Operation) -> None:
    block = next(operation.blocks(), None)
    several = [run.held(handle) for handle in operation.operands]
    counts = {len(held) for held in several if held is not None}
    if not navigation.has_unit(operation, _SHORTEST):
        _check_counts(run, operation, several)
    if block is None or None in several or not several or min(counts) > _MOST_ITERATIONS:
        _bodies(run, operation)
        return
    run.may_find(operation)
    gathered = [_Gathered() for _ in operation.results]
    for index in range(min(counts)):
        still = [run.held(handle) for handle in operation.operands]
        for argument, held in zip(block.arguments, still, strict=False):
            run.forget(argument)
            if held is not None:
                run.hold(argument, held[index : index + 1])
        run.execute(block)
        terminator = block.terminator
        for gathering, value in zip(gathered, terminator.operands if terminator is not None else (), strict=False):
            gathering.add(run, value)
    for result, gathering in zip(operation.results, gathered, strict=True):
        if gathering.is_known:
            run.hold(result, gathering.operations)


def _check_counts(run: PayloadRun, operation: Operation, several: list[Held | None]) -> None:
    """Fail if the handles of a loop are known to hold different numbers of operations."""
    known = [
        (value, len(held))
        for value, held in zip(operation.operands, several, strict=True)
        if value is not None and held is not None
    ]
    for value, count in known[1:]:
        first, expected = known[0]
        if count != expected:
            counts = f"`{first.shown}` holds {_operations(expected)}, but `{value.shown}` {_operations(count)}"
            run.fail(Shortfall(operation, ShortfallKind.COUNT, f"{counts}: a loop needs as many of each"))


def _operations(count: int) -> str:
    return {0: "no payload operation", 1: "one payload operation"}.get(count, f"{count} payload operations")


class _Gathered:
    """The operations yielded by the iterations of a loop."""

    def __init__(self) -> None:
        self.operations: list[PayloadOperation] = []
        self.is_known = True

    def add(self, run: PayloadRun, value: Value | None) -> None:
        held = run.held(value)
        if held is None:
            self.is_known = False
        else:
            self.operations += held


def _foreach_match(run: PayloadRun, operation: Operation) -> None:
    root = next(iter(operation.operands), None)
    roots = run.held(root)
    matchers = _symbols(run, operation, "matchers")
    refused = searching.refused_by(run, matchers, roots) if roots is not None and matchers else None
    if refused is None:
        run.may_find(operation)
        actions = _symbols(run, operation, "actions")
        known = [action for action in actions if action is not None]
        disturb_by(run, known if known and len(known) == len(actions) else [operation])
    else:
        for result in operation.results[1:]:
            run.hold(result, ())
        run.finds_nothing(_nothing_accepted(operation, matchers, refused.help))
    held = run.held(root)
    if held is not None and operation.results:
        run.hold(operation.results[0], held)


def _nothing_accepted(operation: Operation, matchers: list[Operation | None], help_text: str | None) -> Shortfall:
    names = " and ".join(f"`@{symbol_name(matcher)}`" for matcher in matchers if matcher is not None)
    accepts = "accepts" if len(matchers) == 1 else "accept"
    message = f"nothing is found: the payload has no operation that {names} {accepts}"
    return Shortfall(operation, ShortfallKind.UNMET, message, operation.syntax.attribute("matchers"), help_text)


def _symbols(run: PayloadRun, operation: Operation, attribute: str) -> list[Operation | None]:
    """Return the definitions of the symbols that an attribute refers to."""
    uses = symbols_in(operation.syntax, (attribute,))
    return [run.context.symbols.lookup_nearest(use.path, operation) for use in uses]


_TRANSFERS: dict[str, Callable[[PayloadRun, Operation], None]] = {
    "transform.sequence": _sequence,
    "transform.foreach": _foreach,
    "transform.include": _include,
    "transform.alternatives": _bodies,
    "transform.foreach_match": _foreach_match,
    "transform.collect_matching": searching.collect_matching,
    "transform.match.operation_empty": searching.match_empty,
    "transform.match.structured": structured_matchers.match_structured,
    "transform.match.structured.body": structured_matchers.body,
    "transform.match.structured.classify_contraction_dims": structured_matchers.contraction_dims,
    "transform.match.structured.classify_convolution_dims": structured_matchers.convolution_dims,
    "transform.match.structured.dim": structured_matchers.dim,
    "transform.match.structured.elemental_bitwidth": structured_matchers.elemental_bitwidth,
    "transform.match.structured.init": structured_matchers.inits,
    "transform.match.structured.input": structured_matchers.inputs,
    "transform.match.structured.num_inits": structured_matchers.num_inits,
    "transform.match.structured.num_inputs": structured_matchers.num_inputs,
    "transform.match.structured.rank": structured_matchers.rank,
    "transform.match.structured.result": structured_matchers.result,
    "transform.match.param.cmpi": structured_matchers.compare,
    "transform.num_associations": structured_matchers.count,
    "transform.param.constant": structured_matchers.constant,
    "transform.get_producer_of_operand": navigation.producers,
    "transform.get_consumers_of_result": navigation.consumers,
    "transform.get_result": navigation.results_of,
    "transform.get_operand": navigation.operands_of_held,
    "transform.split_handle": navigation.split,
    "transform.merge_handles": navigation.merge,
}
"""Operations with a function of their own; the others are evaluated by definition."""
