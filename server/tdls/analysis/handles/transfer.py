"""What single operations do to what handles stand for.

Most is said by the relations of results in the catalogue. The operations here are those whose meaning is more than
that: control flow, and matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles import control_flow, searches
from tdls.analysis.handles.payload.certainties import Origin, Repetition
from tdls.analysis.handles.payload.facts import PayloadFacts
from tdls.analysis.handles.relations import by_relations
from tdls.catalogue.model import RelationKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.semantic.model import Operation


def execute_operation(run: AbstractRun, operation: Operation) -> None:
    """Let `operation`, whose operands were checked, do what it does: run its body, and define its results."""
    has_bodies = operation.has_trait("RegionBranchOpInterface")
    transfer = _TRANSFERS.get(operation.name, control_flow.branches if has_bodies else _search_of(operation))
    transfer(run, operation)
    for result in operation.results:
        if not run.is_known(result):
            origin = Origin.UNKNOWN if _tells_nothing(run, operation) else Origin.KNOWN
            run.new_set(result, operation, PayloadFacts(repetition=Repetition.POSSIBLY, origin=origin))


def _search_of(operation: Operation) -> Callable[[AbstractRun, Operation], None]:
    """Return how the results of an operation are found: by what its attributes ask for, or by their relations alone."""
    definition = operation.definition
    relations = definition.results[0].relations if definition is not None and definition.results else ()
    search = _SEARCHES.get(relations[0].kind) if relations else None
    if definition is None or search is None or all(attribute.asks is None for attribute in definition.attributes):
        return by_relations
    return search


def _tells_nothing(run: AbstractRun, operation: Operation) -> bool:
    """Tell whether nothing can be said of results that no relation describes: they may come from anywhere.

    So it is for operations of projects, which seldom have relations: their results are not talked about.
    """
    if operation.definition is None or not operation.definition.versions:
        return True
    handles = [value for value in operation.operands if value is not None and not run.is_parameter(value)]
    return bool(handles) and all(run.set_of(value).facts.is_unknown for value in handles)


_SEARCHES = {RelationKind.FOUND_IN: searches.find_matching, RelationKind.PART_OF: searches.select}
"""What operations do whose attributes ask for payload operations, by how those lie that they return."""
_TRANSFERS: dict[str, Callable[[AbstractRun, Operation], None]] = {
    "transform.collect_matching": searches.collect_matching,
    "transform.pdl_match": searches.pdl_match,
    "transform.replicate": searches.replicate,
    "transform.get_result": searches.get_result,
    "transform.get_defining_op": searches.get_defining_op,
    "transform.sequence": control_flow.sequence,
    "transform.with_pdl_patterns": control_flow.sequence,
    "transform.foreach": control_flow.foreach,
    "transform.alternatives": control_flow.alternatives,
    "transform.include": control_flow.include,
}
"""The operations of the dialect whose meaning the analysis needs."""
