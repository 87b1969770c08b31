"""The operations of a script that look at payload operations one by one: they fail, or leave out what does not fit."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.model import MatchCriterion, RelationKind
from tdls.syntax.parser.asm_parser import DefinitionFact

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import OperationDefinition
    from tdls.interpreter.script import Script
    from tdls.semantic.model import Operation, Value


class SearchKind(Enum):
    """What an operation looks for, given payload operations."""

    PARENT = "parent"
    """Something around each of them."""
    PRODUCER = "producer"
    """What defines an operand of each of them."""
    SELECTION = "selection"
    """Those of them with a name."""
    SPLIT = "split"
    """As many of them as there are results."""
    PATTERN = "pattern"
    """What a PDL pattern matches in them."""


class HandleSearch(NamedTuple):
    """An operation that looks at what `target` holds, in a script as it is before marks are put into it."""

    kind: SearchKind
    script: Script
    context: Context
    operation: Operation
    target: Value


def search_of(script: Script, context: Context, operation: Operation) -> HandleSearch | None:
    """Return how an operation looks for something; None if it does not, or not so."""
    kind = _kind(operation.definition) if operation.definition is not None and operation.results else None
    target = next(iter(operation.operands), None)
    if kind is None or target is None or operation.syntax.broken:
        return None
    return HandleSearch(kind, script, context, operation, target)


@DefinitionFact
def _kind(definition: OperationDefinition) -> SearchKind | None:
    result = definition.results[0] if definition.results else None
    if result is None:
        return None
    relation = result.relations[0].kind if result.relations else None
    criteria = {attribute.asks for attribute in definition.attributes}
    if result.count is not None and result.count.operations_of:
        return SearchKind.SPLIT
    if relation is RelationKind.AROUND:
        return SearchKind.PARENT
    if relation is RelationKind.FEEDS:
        return SearchKind.PRODUCER
    if relation is RelationKind.PART_OF and MatchCriterion.NAMES in criteria:
        return SearchKind.SELECTION
    return SearchKind.PATTERN if MatchCriterion.PATTERN in criteria else None
