"""Computes how and where script operations change the payload; the abstract run uses it to drop outdated facts.

`ChangeAnalysis` gives the kinds of change by operation and callee, `note_changes` the places, `CodeMotions` the moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from tdls.catalogue.model import EffectSource, HandleEffect, PayloadEffect, RelationKind
from tdls.semantic.transform_dialect import is_transform_operation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.locations import Locations
    from tdls.analysis.handles.payload.names import PayloadNames
    from tdls.analysis.handles.payload.sets import Link, PayloadSet
    from tdls.catalogue.model import OperationDefinition, ResultDefinition
    from tdls.limits import Budget
    from tdls.semantic.model import Operation, Value

_MOST_MOTIONS = 32
"""Maximum number of motions to keep with their places."""


class _CodeMotion(NamedTuple):
    """A step that moved operations at `places`; None: anywhere."""

    step: int
    places: frozenset[int] | None


class CodeMotions:
    """The motions of operations in one run, up to now."""

    def __init__(self, where: Locations) -> None:
        self._where = where
        self._is_known = where.is_known
        self._code_motions: list[_CodeMotion] = []
        self._known_since = 0
        """The step of the last motion that was dropped from the list."""
        self.last = 0
        """The last step that moved an operation."""

    def note(self, step: int, places: frozenset[int] | None) -> None:
        """Record that `step` moved operations at `places`; None: anywhere."""
        self.last = step
        if not self._is_known:
            return
        self._code_motions.append(_CodeMotion(step, places))
        if len(self._code_motions) > _MOST_MOTIONS:
            self._known_since = self._code_motions.pop(0).step

    def holds(self, link: Link) -> bool:
        """Tell whether `link` still holds for its sets."""
        return link.is_firm or link.made >= self.last or (self._is_known and self._stays(link.inner, link.made))

    def _stays(self, payload: PayloadSet, since: int) -> bool:
        """Tell whether no operation of a set was moved after step `since`."""
        if since < self._known_since:
            return False
        places = self._where.of(payload).all
        if places is None:
            return False
        return all(
            motion.step <= since or (motion.places is not None and motion.places.isdisjoint(places))
            for motion in reversed(self._code_motions)
        )


MOST_CALLS = 6
"""Maximum depth of calls to follow."""


class Changes(NamedTuple):
    """Kinds of change that may happen to the payload."""

    touches: bool = False
    """It changes in any way."""
    changes: bool = False
    """Operations are added or erased."""
    moves: bool = False
    """Operations are moved."""
    adds_containers: bool = False
    """Functions or other containers are added."""

    def __or__(self, other: tuple[object, ...]) -> Changes:
        """Return the union of two sets of changes."""
        return Changes(*(bool(own or another) for own, another in zip(self, other, strict=True)))


NO_CHANGES = Changes()
ANYTHING = Changes(touches=True, changes=True, moves=True, adds_containers=True)


class ChangeAnalysis:
    """Computes the changes by operations and by called named sequences; memoizes by definition and callee."""

    def __init__(self, context: Context, names: PayloadNames, budget: Budget) -> None:
        self._context = context
        self._effects = context.effects
        self._names = names
        self._budget = budget
        self._known: dict[int, Changes] = {}
        self._by_definition: dict[int, Changes] = {}
        self._conditional: set[int] = set()
        """Definitions with operands whose effects depend on attributes."""

    def of_operation(self, operation: Operation) -> Changes:
        """Return the changes that an operation itself may make, without its bodies and callees."""
        definition = operation.definition
        if definition is None:
            return ANYTHING
        known = self._by_definition.get(id(definition))
        if known is None:
            known = self._by_definition[id(definition)] = self._of_definition(definition)
            if any(operand.effect_when for operand in definition.operands):
                self._conditional.add(id(definition))
        if definition.moves_with and operation.syntax.attribute(definition.moves_with) is not None:
            return ANYTHING
        if known.changes or id(definition) not in self._conditional:
            return known
        return known._replace(changes=any(True for _ in self._effects.consumed_operands(operation)))

    def _of_definition(self, definition: OperationDefinition) -> Changes:
        """Return the changes by operations of a definition, for any attributes."""
        if definition.payload_effect not in (PayloadEffect.MODIFIES, PayloadEffect.UNKNOWN):
            return NO_CHANGES
        if definition.regions or definition.effect_source is EffectSource.CALLEE:
            return Changes(touches=True)
        if not definition.local:
            return ANYTHING
        consumes = any(operand.effect is HandleEffect.CONSUMES for operand in definition.operands)
        adds = any(self._names.include_containers(result.stands_for) for result in definition.results)
        return Changes(touches=True, changes=consumes, adds_containers=adds)

    def of_callee(self, callee: Operation | None, depth: int = 0) -> Changes:
        """Return the changes that a call of a named sequence may make; `ANYTHING` if the callee is not known."""
        block = next(callee.blocks(), None) if callee is not None else None
        if callee is None or block is None or depth >= MOST_CALLS:
            return ANYTHING
        known = self._known.get(id(callee))
        if known is None:
            known = self._known[id(callee)] = self._within(callee, depth)
        return known

    def _within(self, callee: Operation, depth: int) -> Changes:
        found = Changes()
        for operation in callee.walk():
            if found == ANYTHING:
                break
            self._budget.spend()
            if operation is callee or not is_transform_operation(operation):
                continue
            found |= self.of_operation(operation)
            if operation.has_callee:
                found |= self.of_callee(self._context.callee(operation), depth + 1)
        return found


class Rewritten(Protocol):
    """The part of a run that changes need."""

    context: Context
    step: int

    @property
    def where(self) -> Locations:
        """The places of sets."""

    @property
    def code_motions(self) -> CodeMotions:
        """The motions up to now."""

    def set_of(self, value: Value) -> PayloadSet:
        """Return the payload set of `value`."""

    def is_parameter(self, value: Value) -> bool:
        """Tell whether `value` is a parameter, a list of attributes."""


def confined(run: Rewritten, operation: Operation, changes: Changes) -> Changes:
    """Return the part of `changes` that `operation` can make: it adds no functions unless it is applied to the root."""
    if not changes.adds_containers or not run.where.is_known:
        return changes
    definition = operation.definition
    if definition is None or definition.local or not definition.versions:
        return changes
    if run.where.includes_root(run.where.all_of(sets_of(run, operation.operands))):
        return changes
    return changes._replace(adds_containers=False)


def note_changes(run: Rewritten, operation: Operation, changes: Changes) -> None:
    """Record the places at which executing `operation`, without its bodies, changes the payload."""
    if not run.where.is_known:
        if changes.moves:
            run.code_motions.note(run.step, None)
        return
    definition = operation.definition
    if not changes.touches or (definition is not None and _runs_others(definition)):
        return
    if definition is not None and definition.local and not changes.moves:
        places = run.where.all_of(_rewritten(run, operation))
        run.where.changes_at(places, _introduced(run, operation, definition, places), frozenset(definition.keeps))
    else:
        is_ours = definition is not None and bool(definition.versions)
        places = run.where.functions_of(run.where.all_of(sets_of(run, operation.operands))) if is_ours else None
        if changes.moves:
            run.code_motions.note(run.step, run.where.below(places))
        if definition is not None and definition.only_moves:
            run.where.changes_at(places)
        else:
            run.where.mixes(places)
    if changes.adds_containers:
        run.where.leaves(places)


def _introduced(
    run: Rewritten, operation: Operation, definition: OperationDefinition, places: frozenset[int] | None
) -> frozenset[str] | None:
    """Return the possible names of loops and structured operations that an operation adds; None: any."""
    if definition.keeps:
        return frozenset()
    found: frozenset[str] | None = frozenset()
    if definition.moves_with or any(map(_is_same, definition.results)):
        found = run.where.structured_near(places)
    if found is None:
        return None
    for result in definition.results:
        names = _names_of(run, operation, result)
        if names is None:
            return None
        found |= names
    return found


def _is_same(result: ResultDefinition) -> bool:
    return any(relation.kind is RelationKind.SAME for relation in result.relations)


def _names_of(run: Rewritten, operation: Operation, result: ResultDefinition) -> frozenset[str] | None:
    """Return the names of the operations that a result will hold; None if they are not known."""
    if result.stands_for or all(map(run.is_parameter, operation.result_group(result.name))):
        return frozenset(result.stands_for)
    if _is_same(result):
        return frozenset()
    like = (relation.other for relation in result.relations if relation.kind is RelationKind.LIKE)
    known = [payload.facts.names for other in like for payload in sets_of(run, operation.group(other))]
    names = [each for each in known if each is not None]
    return frozenset().union(*names) if names and len(names) == len(known) else None


def _runs_others(definition: OperationDefinition) -> bool:
    """Tell whether an operation executes others, in its body or in a callee."""
    is_branch = "RegionBranchOpInterface" in definition.traits
    return is_branch or definition.effect_source is not EffectSource.FIXED


def note_changes_of_call(run: Rewritten, operation: Operation, changes: Changes) -> None:
    """Record the places at which the callee of `operation` changes the payload."""
    if not changes.touches:
        return
    around = run.where.functions_of(run.where.all_of(sets_of(run, operation.operands)))
    run.where.mixes(around)
    if changes.adds_containers:
        run.where.leaves(None)
    if changes.moves:
        run.code_motions.note(run.step, run.where.below(around))


def sets_of(run: Rewritten, values: Sequence[Value | None]) -> Iterator[PayloadSet]:
    """Yield the payload sets of those `values` that are handles."""
    return (run.set_of(value) for value in values if value is not None and not run.is_parameter(value))


def _rewritten(run: Rewritten, operation: Operation) -> Iterator[PayloadSet]:
    """Yield the sets that a local operation changes: consumed ones, and those in which it puts its results."""
    definition = operation.definition
    results = definition.results if definition is not None else ()
    around = {
        relation.other for result in results for relation in result.relations if relation.kind is RelationKind.WITHIN
    }
    inside = {value for name in around for value in operation.group(name)}
    for value in operation.operands:
        if value is None or run.is_parameter(value):
            continue
        if value in inside or run.context.effects.consumes(operation, value):
            yield run.set_of(value)
