"""Where operations of a script change the payload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tdls.catalogue.model import EffectSource, RelationKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.changing.changes import Changes
    from tdls.analysis.handles.changing.motions import Motions
    from tdls.analysis.handles.changing.whereabouts import Whereabouts
    from tdls.analysis.handles.payload.sets import PayloadSet
    from tdls.catalogue.model import OperationDefinition, ResultDefinition
    from tdls.semantic.model import Operation, Value


class Rewritten(Protocol):
    """A run, as far as changes are about it."""

    context: Context
    step: int

    @property
    def where(self) -> Whereabouts:
        """Where sets are."""

    @property
    def motions(self) -> Motions:
        """What was moved."""

    def set_of(self, value: Value) -> PayloadSet:
        """Return what `value` stands for."""

    def is_parameter(self, value: Value) -> bool:
        """Tell whether `value` stands for attributes."""


def confined(run: Rewritten, operation: Operation, changes: Changes) -> Changes:
    """Return what `operation` does of what may happen: no functions come where it is not about all of a module."""
    if not changes.adds_containers or not run.where.is_known:
        return changes
    definition = operation.definition
    if definition is None or definition.local or not definition.versions:
        return changes
    if run.where.includes_root(run.where.all_of(sets_of(run, operation.operands))):
        return changes
    return changes._replace(adds_containers=False)


def note_changes(run: Rewritten, operation: Operation, changes: Changes) -> None:
    """Note where the payload is not any more as it was, since `operation` is executed: bodies speak for themselves."""
    if not run.where.is_known:
        if changes.moves:
            run.motions.note(run.step, None)
        return
    definition = operation.definition
    if not changes.touches or (definition is not None and _runs_others(definition)):
        return
    if definition is not None and definition.local and not changes.moves:
        places = run.where.all_of(_rewritten(run, operation))
        run.where.changes_at(places, _brought(run, operation, definition, places), frozenset(definition.keeps))
    else:
        is_ours = definition is not None and bool(definition.versions)
        places = run.where.functions_of(run.where.all_of(sets_of(run, operation.operands))) if is_ours else None
        if changes.moves:
            run.motions.note(run.step, run.where.below(places))
        if definition is not None and definition.only_moves:
            run.where.changes_at(places)
        else:
            run.where.mixes(places)
    if changes.adds_containers:
        run.where.leaves(places)


def _brought(
    run: Rewritten, operation: Operation, definition: OperationDefinition, places: frozenset[int] | None
) -> frozenset[str] | None:
    """Return the names that loops and structured operations may have which come by an operation; None: any."""
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
    """Return the names of the operations that a result will stand for; None if they are not known."""
    if result.stands_for or all(map(run.is_parameter, operation.result_group(result.name))):
        return frozenset(result.stands_for)
    if _is_same(result):
        return frozenset()
    like = (relation.other for relation in result.relations if relation.kind is RelationKind.LIKE)
    known = [payload.facts.names for other in like for payload in sets_of(run, operation.group(other))]
    names = [each for each in known if each is not None]
    return frozenset().union(*names) if names and len(names) == len(known) else None


def _runs_others(definition: OperationDefinition) -> bool:
    """Tell whether operations are executed by this one, in its body or elsewhere."""
    is_branch = "RegionBranchOpInterface" in definition.traits
    return is_branch or definition.effect_source is not EffectSource.FIXED


def note_changes_of_call(run: Rewritten, operation: Operation, changes: Changes) -> None:
    """Note where the payload is not any more as it was, since what `operation` calls is executed."""
    if not changes.touches:
        return
    around = run.where.functions_of(run.where.all_of(sets_of(run, operation.operands)))
    run.where.mixes(around)
    if changes.adds_containers:
        run.where.leaves(None)
    if changes.moves:
        run.motions.note(run.step, run.where.below(around))


def sets_of(run: Rewritten, values: Sequence[Value | None]) -> Iterator[PayloadSet]:
    """Yield what values stand for that are handles."""
    return (run.set_of(value) for value in values if value is not None and not run.is_parameter(value))


def _rewritten(run: Rewritten, operation: Operation) -> Iterator[PayloadSet]:
    """Yield what is consumed by an operation that changes nothing else, and that in which its results come to stand."""
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
