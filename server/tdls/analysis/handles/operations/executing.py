"""The table of all meanings, and the two runs that execute operations by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.abstract_run import AbstractRun
from tdls.analysis.handles.contents import Certainty, Contents, Origin
from tdls.analysis.handles.operations import (
    bodies,
    matchers,
    navigation,
    rewriting,
    searches,
    structured_matchers,
)
from tdls.analysis.handles.operations.row import Meaning
from tdls.analysis.handles.payload_run import PayloadRun
from tdls.analysis.handles.relations import place_nearby
from tdls.catalogue.model import MatchCriterion, RelationKind
from tdls.syntax.parser.asm_parser import DefinitionFact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation, Value

_MEANINGS = {
    **bodies.MEANINGS,
    **matchers.MEANINGS,
    **navigation.MEANINGS,
    **rewriting.MEANINGS,
    **structured_matchers.MEANINGS,
}
"""The rows of operations that need more than their definition says.

Properties that a definition can express belong in the catalogue instead, so that projects can use them, too."""
_BY_EFFECT = Meaning()


def meaning_of(operation: Operation) -> Meaning:
    """Return the row of an operation: its own one, or that of its kind by its definition."""
    named = _MEANINGS.get(operation.name)
    if named is not None:
        return named
    return _by_definition(operation.definition) if operation.definition is not None else _UNKNOWN


_UNKNOWN = Meaning(evaluates=bodies.evaluate_bodies)
"""The row of an operation without definition, which may run its bodies."""


@DefinitionFact
def _by_definition(definition: OperationDefinition) -> Meaning:
    """Return the row by the relations of the first result, and the criteria of a search in attributes."""
    if "RegionBranchOpInterface" in definition.traits:
        return bodies.BRANCHES
    relations = definition.results[0].relations if definition.results else ()
    kind = relations[0].kind if relations else None
    criteria = {attribute.asks for attribute in definition.attributes} - {None}
    has_names = MatchCriterion.NAMES in criteria
    if kind is RelationKind.FOUND_IN and MatchCriterion.MATCHERS in criteria:
        return matchers.COLLECT
    if kind is RelationKind.FOUND_IN and MatchCriterion.PATTERN in criteria:
        return searches.PDL_MATCH
    if kind is RelationKind.FOUND_IN and criteria:
        return searches.MATCH if has_names else searches.MATCH_BY_OTHERS
    if kind is RelationKind.PART_OF and has_names:
        return searches.SELECT
    if kind is RelationKind.AROUND:
        return navigation.PARENTS
    if kind is RelationKind.FEEDS:
        return navigation.PRODUCERS
    if kind is RelationKind.DEFINES:
        return navigation.DEFINERS
    if kind is RelationKind.SAME and definition.local and len(definition.operands) == len(definition.results) == 1:
        return navigation.SAME
    if not definition.results and has_names and "MatchOpInterface" in definition.traits:
        return matchers.MATCH_NAME
    return _BY_EFFECT


# Without payload


@DefinitionFact
def _empty_with(definition: OperationDefinition) -> tuple[tuple[str, str, str], ...]:
    """Return the results that an attribute's value leaves empty, each with the attribute and the value."""
    return tuple((result.name, *result.empty_with) for result in definition.results if result.empty_with is not None)


class ScriptRun(AbstractRun):
    """A run without payload that executes operations by their rows."""

    def transfer(self, operation: Operation) -> None:
        """Execute `operation`, whose operands were checked: run its body, and bind its results to sets."""
        meaning_of(operation).binds(self, operation)
        others = [result for result in operation.results if not self.is_known(result)]
        if others:
            _bind_without_relations(self, operation, others)
        emptied = _empty_with(operation.definition) if operation.definition is not None else ()
        for name, attribute, value in emptied:
            if operation.spelled(attribute) == f'"{value}"':
                for result in operation.result_group(name):
                    self.set_of(result).may_be_empty = True
        for result in self.known.empty.intersection(operation.results):
            self.set_of(result).may_be_empty = True
        if operation.results and any(payload.may_be_empty for payload in self.sets_of(operation.operands)):
            for payload in map(self.set_of, operation.results):
                payload.may_be_empty = payload.may_be_empty or payload.maker is operation
        for result in operation.results:
            known = self.known.contents.get(result)
            if known is not None and not self.is_parameter(result):
                self.places.place_known(self.set_of(result), known)


def _bind_without_relations(run: AbstractRun, operation: Operation, results: Iterable[Value]) -> None:
    """Bind results to sets about which only the enclosing functions are known.

    Nothing is reported about results of operations of projects, which seldom have relations, or of unknown operands.
    """
    definition, taken = operation.definition, [*run.sets_of(operation.operands)]
    is_ours = definition is not None and bool(definition.versions)
    is_known = is_ours and not (taken and all(payload.facts.is_unknown for payload in taken))
    facts = Contents(repetition=Certainty.POSSIBLY, origin=Origin.KNOWN if is_known else Origin.UNKNOWN)
    payloads = [run.new_set(result, operation, facts) for result in results]
    for payload in payloads:
        payload.is_vague = definition is not None and not definition.regions and not operation.has_callee
    place_nearby(run, operation, payloads)


# On a known payload


class FollowedRun(PayloadRun, eq=False):
    """A run on a known payload that executes operations by their rows."""

    def transfer(self, operation: Operation) -> None:
        """Execute an operation by its row, where its effect is known."""
        from tdls.analysis.handles.operations.refusals import refuse_results, refuse_targets

        meaning = meaning_of(operation)
        evaluates = meaning.evaluates or rewriting.rewrite
        nested = (inner for block in operation.blocks() for inner in block.operations)
        configures = (
            each.has_trait("PatternDescriptorOpInterface") or each.has_trait("IsTerminator") for each in nested
        )
        if operation.name not in _MEANINGS and not all(configures):
            evaluates = bodies.evaluate_bodies
        refuse_targets(self, operation)
        if meaning.refuses is not None:
            meaning.refuses(self, operation)
        evaluates(self, operation)
        refuse_results(self, operation)
