"""Selects and applies the transfer function of an operation in the abstract run.

Most operations are described by the relations of their results in the catalogue; search criteria in attributes select
the functions for matches. Only operations whose meaning needs more than that are named here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.invalidation import outward
from tdls.analysis.handles.payload.facts import PayloadFacts
from tdls.analysis.handles.payload.lattice import Origin, Repetition
from tdls.analysis.handles.payload.sets import Nesting, PayloadSet, certainly_share
from tdls.analysis.handles.transfer import control_flow, searches
from tdls.analysis.handles.transfer.placing import place_nearby
from tdls.analysis.handles.transfer.relations import by_relations
from tdls.catalogue.model import MatchCriterion, RelationKind
from tdls.syntax.parser.asm_parser import DefinitionFact

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.evaluation.payload_run import KnownContents, Listed, Relative
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation


def relate_contents(run: AbstractRun, operation: Operation) -> None:
    """Apply the facts and relations of results that the run on the written payload found."""
    for result in operation.results:
        known = run.known.contents.get(result)
        if known is not None and not run.is_parameter(result):
            _relate(run, run.set_of(result), known)


def _relate(run: AbstractRun, payload: PayloadSet, known: KnownContents) -> None:
    payload.may_be_empty = False
    if known.listed is not None:
        payload.facts = _with_list(payload.facts, known.listed)
    for relative in known.relatives:
        if run.is_known(relative.other):
            other = run.set_of(relative.other)
            if other is not payload and run.is_live(other):
                _link(run, payload, other, relative)


def _with_list(facts: PayloadFacts, listed: Listed) -> PayloadFacts:
    return facts._replace(
        names=listed.names if facts.names is None else facts.names & listed.names or facts.names,
        multiplicity=listed.multiplicity,
        repetition=listed.repetition,
        nesting=listed.nesting,
        outer_first=listed.outer_first,
    )


def _link(run: AbstractRun, payload: PayloadSet, other: PayloadSet, relative: Relative) -> None:
    inner, outer = (payload, other) if relative.is_inner else (other, payload)
    nesting = Nesting.NESTED if relative.is_nested else Nesting.PART
    if not relative.is_nested and certainly_share((inner, outer), run.budget):
        return  # known without the payload
    if outer in outward(inner, run.code_motions, run.budget):
        return
    is_firm = relative.is_nested and run.names.are_containers(outer.facts.names)
    if not relative.is_all:
        some = PayloadSet(inner.value, inner.maker, run.step, inner.facts.part())
        run.link(some, inner, Nesting.PART, run.step)
        inner = some
    run.link(inner, outer, nesting, run.step, is_firm=is_firm)


def execute_operation(run: AbstractRun, operation: Operation) -> None:
    """Execute `operation`, whose operands were checked: run its body, and bind its results to sets."""
    definition = operation.definition
    by_definition = _by_definition(definition) if definition is not None else by_relations
    transfer = _TRANSFERS.get(operation.name, by_definition)
    transfer(run, operation)
    for result in operation.results:
        if not run.is_known(result):
            origin = Origin.UNKNOWN if _has_unknown_origin(run, operation) else Origin.KNOWN
            payload = run.new_set(result, operation, PayloadFacts(repetition=Repetition.POSSIBLY, origin=origin))
            place_nearby(run, operation, payload)
        if result in run.known.empty:
            run.set_of(result).may_be_empty = True
    for name, attribute, value in _empty_with(definition) if definition is not None else ():
        if operation.spelled(attribute) == f'"{value}"':
            for result in operation.result_group(name):
                run.set_of(result).may_be_empty = True
    _hand_doubts_on(run, operation)
    if run.known.contents:
        relate_contents(run, operation)


@DefinitionFact
def _empty_with(definition: OperationDefinition) -> tuple[tuple[str, str, str], ...]:
    """Return the results that an attribute's value leaves empty, each with the attribute and the value."""
    return tuple((result.name, *result.empty_with) for result in definition.results if result.empty_with is not None)


def _hand_doubts_on(run: AbstractRun, operation: Operation) -> None:
    """Mark results as possibly empty if an operand may be empty."""
    if not operation.results:
        return
    taken = (run.set_of(value) for value in operation.operands if value is not None and not run.is_parameter(value))
    if any(payload.may_be_empty for payload in taken):
        for result in operation.results:
            payload = run.set_of(result)
            payload.may_be_empty = payload.may_be_empty or payload.maker is operation


@DefinitionFact
def _by_definition(definition: OperationDefinition) -> Callable[[AbstractRun, Operation], None]:
    """Return the transfer function by definition: of branches, of a search by attributes, or by relations alone."""
    if "RegionBranchOpInterface" in definition.traits:
        return control_flow.branches
    relations = definition.results[0].relations if definition.results else ()
    kind = relations[0].kind if relations else None
    if kind not in (RelationKind.FOUND_IN, RelationKind.PART_OF):
        return by_relations
    criteria = {attribute.asks for attribute in definition.attributes}
    if kind is RelationKind.PART_OF:
        return by_relations if criteria <= {None} else searches.select
    if MatchCriterion.MATCHERS in criteria:
        return searches.collect_matching
    if MatchCriterion.PATTERN in criteria:
        return searches.pdl_match
    return by_relations if criteria <= {None} else searches.find_matching


def runs_for_each_element(operation: Operation) -> bool:
    """Tell whether the body of an operation is run once for each operation held by its handles."""
    return _TRANSFERS.get(operation.name) is control_flow.foreach


def _has_unknown_origin(run: AbstractRun, operation: Operation) -> bool:
    """Tell whether results without relations have an unknown origin, so that nothing is reported about them.

    That holds for operations of projects, which seldom have relations, and if all operands are unknown.
    """
    if operation.definition is None or not operation.definition.versions:
        return True
    handles = [value for value in operation.operands if value is not None and not run.is_parameter(value)]
    return bool(handles) and all(run.set_of(value).facts.is_unknown for value in handles)


_TRANSFERS: dict[str, Callable[[AbstractRun, Operation], None]] = {
    "transform.replicate": searches.replicate,
    "transform.sequence": control_flow.sequence,
    "transform.with_pdl_patterns": control_flow.sequence,
    "transform.foreach": control_flow.foreach,
    "transform.alternatives": control_flow.alternatives,
    "transform.include": control_flow.include,
}
"""Operations with a transfer function of their own: the only operation names in the handle analysis.

Properties that a definition can express belong in the catalogue instead, so that projects can use them, too."""
