"""The state of the payload in a run without payload: when and where script operations may have changed it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tdls.analysis.handles.changes import NO_CHANGES, ChangeAnalysis, effect_of
from tdls.analysis.handles.sets import Nesting
from tdls.catalogue.model import EffectSource, PayloadEffect, RelationKind
from tdls.payload.tree import ANY_OPERATION, ROOT
from tdls.structs import NamedTuple, Struct, field
from tdls.syntax.parser.asm_parser import DefinitionFact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.handles.changes import Changes
    from tdls.analysis.handles.handle_state import HandleState
    from tdls.analysis.handles.locations import Locations
    from tdls.analysis.handles.matches import Match
    from tdls.analysis.handles.sets import PayloadSet
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation, Value

_BRANCHES = "RegionBranchOpInterface"
_TRACKS = "ReportTrackingListenerFailuresOpTrait"


class _Nest(NamedTuple):
    """Tiled operations or loops, known to be in outer loops, whose variables they use, since a step of the run."""

    inner: PayloadSet
    outer: PayloadSet
    since: int


class Found(NamedTuple):
    """The result of a match at a step of the run, with the last changes of the payload before it."""

    match: Match
    payload: PayloadSet
    step: int
    last_change: int
    last_touch: int


class PayloadState(Struct, has_dict=True):
    """Changes of the payload up to one step of a run, and the operations that searches found in it."""

    handles: HandleState
    places: Locations
    """The places of sets in the payload before the run, if it is known to be the written one."""
    root: PayloadSet | None = None
    """The payload root, if the script has no other argument."""
    last_touch: int = 0
    """The last step in which the payload changed in any way."""
    last_change: int = 0
    """The last step that may have added or erased payload operations."""
    last_motion: int = 0
    """The last step that may have moved an operation: links that are not firm end."""
    last_container: int = 0
    """The last step that may have added functions or other containers."""
    _last_rewriting: int = 0
    """The last step that applied patterns or passes, which may erase any operation."""
    matches: dict[PayloadSet, list[Found]] = field(default_factory=dict)
    """The results of matches, by the searched set."""
    searched_roots: list[PayloadSet] = field(default_factory=list)
    """Searched sets (keys of `matches`) that are the payload root."""
    _nests: list[_Nest] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._changes = ChangeAnalysis(self.handles.context, self.handles.names, self.handles.budget)

    # Changes

    def apply(self, operation: Operation) -> None:
        """Record the changes that executing `operation`, without its bodies and callees, may make."""
        changes = self._changes.of_operation(operation)
        if changes is NO_CHANGES:
            return
        before, changes = self.last_motion, _confined(self, operation, changes)
        self._note(changes)
        if changes.moves:
            self._renew_nests(operation, before)
        _note_changes(self, operation, changes)
        if operation.definition is not None and _rewrites(operation.definition):
            self._last_rewriting = self.handles.step

    def apply_call(self, operation: Operation, callee: Operation | None, depth: int) -> None:
        """Record the changes that the `callee` of `operation`, which is not followed, may make."""
        changes = self._changes.of_callee(callee, depth)
        self._note(changes)
        if changes.touches:
            self.places.mixes(_functions_around(self, operation))
        if changes.adds_containers:
            self.places.leaves(None)

    def _note(self, changes: Changes) -> None:
        step = self.handles.step
        self.last_touch = step if changes.touches else self.last_touch
        self.last_change = step if changes.changes else self.last_change
        self.last_motion = step if changes.moves else self.last_motion
        self.last_container = step if changes.adds_containers else self.last_container

    # Handles after changes

    @property
    def last_erasure(self) -> int:
        """The last step that may have erased any operation."""
        return max(self.last_motion, self._last_rewriting)

    def may_have_gone(self, value: Value) -> bool:
        """Whether patterns, passes or moves may have erased the payload of `value` since its definition."""
        return self.handles.since[value] < self.last_erasure and not self._always_stays(self.handles.set_of(value))

    def may_have_shrunk(self, value: Value) -> bool:
        """Whether operations may have been erased from the payload of `value`, which itself stays valid."""
        return self.handles.since[value] < self.last_change and not self._always_stays(self.handles.set_of(value))

    def _always_stays(self, payload: PayloadSet) -> bool:
        """Whether the operations of a set are erased only by operations that consume a handle to them."""
        return payload.facts.is_root or self.handles.names.are_containers(payload.facts.names)

    def recent_sets(self, most: int) -> Iterator[PayloadSet]:
        """Yield the sets of the latest `most` handles that are valid and whose operations cannot have been erased."""
        erased = self.last_erasure
        self.handles.budget.spend(min(most, len(self.handles.sets)))
        stale, scopes, since, scope = self.handles.stale, self.handles.scopes, self.handles.since, self.handles.scope
        for value, payload in islice(reversed(self.handles.sets.items()), most):
            is_there = value not in stale and scopes[value] == scope
            if is_there and (since[value] >= erased or self._always_stays(payload)):
                yield payload

    def has_brought(self, match: Match) -> bool:
        """Whether a valid handle, made by a change of the payload, holds operations of the kind of `match`."""
        kind, catalogue = match._replace(others=frozenset()), self.handles.context.catalogue
        self.handles.budget.spend(len(self.handles.sets))
        return any(
            kind.finds_all_of_names(payload.facts.names, catalogue)
            and not payload.may_be_empty
            and value not in self.handles.stale
            and not _only_reads(payload.maker)
            for value, payload in self.handles.sets.items()
        )

    # Nests

    def nest(self, inner: PayloadSet, outer: PayloadSet) -> None:
        """Record that operations of `inner` are in the loops of `outer`; one operation made both of one target."""
        self.handles.link(inner, outer, Nesting.NESTED)
        self._nests.append(_Nest(inner, outer, self.handles.step))

    def _renew_nests(self, operation: Operation, before: int) -> None:
        """Keep nests that hold since step `before` if `operation`, which moves operations, moves none of theirs.

        That holds if `operation` has no patterns and consumes no handle to operations that may contain loops: what is
        in a nest uses values that the loop around it defines, so that it cannot be hoisted.
        """
        nests, self._nests = self._nests, []
        if not nests or not _moves_others(self.handles, operation):
            return
        for nest in nests:
            if nest.since >= before:
                self.nest(nest.inner, nest.outer)


def _confined(state: PayloadState, operation: Operation, changes: Changes) -> Changes:
    """Return the part of `changes` that `operation` can make: it adds no functions unless it is applied to the root."""
    definition = operation.definition
    if not changes.adds_containers or definition is None or definition.local or not definition.versions:
        return changes
    taken = state.places.all_of(state.handles.sets_of(operation.operands)) if state.places.is_known else None
    return changes if taken is None or ROOT in taken else changes._replace(adds_containers=False)


def _note_changes(state: PayloadState, operation: Operation, changes: Changes) -> None:
    """Record the places at which executing `operation`, without its bodies, changes the payload."""
    definition = operation.definition
    if not state.places.is_known or not changes.touches:
        return
    if definition is not None and (
        definition.effect_source is not EffectSource.FIXED or _BRANCHES in definition.traits
    ):
        return  # the operations that it executes change it
    if definition is not None and definition.local and not changes.moves:
        places = state.places.all_of(_rewritten(state, operation))
        copies_others = bool(definition.moves_with) or any(
            relation.kind is RelationKind.SAME for result in definition.results for relation in result.relations
        )
        introduced = ANY_OPERATION if copies_others else effect_of(operation).added
        state.places.changes_at(places, introduced, frozenset(definition.keeps), erases=changes.changes)
    else:
        is_ours = definition is not None and bool(definition.versions)
        places = _functions_around(state, operation) if is_ours else None
        if definition is not None and definition.only_moves:
            state.places.changes_at(places)
        else:
            state.places.mixes(places)
    if changes.adds_containers:
        state.places.leaves(places)


def _functions_around(state: PayloadState, operation: Operation) -> frozenset[int] | None:
    """Return the functions around the operations of the operands; None: anywhere."""
    return state.places.functions_of(state.places.all_of(state.handles.sets_of(operation.operands)))


def _rewritten(state: PayloadState, operation: Operation) -> Iterator[PayloadSet]:
    """Yield the sets that a local operation changes: consumed ones, and those in which it puts its results."""
    definition = operation.definition
    results = definition.results if definition is not None else ()
    around = {
        relation.other for result in results for relation in result.relations if relation.kind is RelationKind.WITHIN
    }
    inside = {value for name in around for value in operation.group(name)}
    for value in operation.operands:
        if value is None or state.handles.is_parameter(value):
            continue
        if value in inside or state.handles.context.effects.consumes(operation, value):
            yield state.handles.set_of(value)


def _moves_others(handles: HandleState, operation: Operation) -> bool:
    definition = operation.definition
    if definition is None or not definition.versions or definition.regions:
        return False
    return all(
        handles.names.are_flat(handles.set_of(value).facts.names)
        for value in operation.operands
        if value is not None and handles.context.effects.consumes(operation, value)
    )


@DefinitionFact
def _rewrites(definition: OperationDefinition) -> bool:
    """Whether operations apply patterns or passes, without a result handle to the rewritten payload."""
    if definition.results or definition.payload_effect is not PayloadEffect.MODIFIES:
        return False
    return _TRACKS in definition.traits


def _only_reads(maker: Operation | None) -> bool:
    definition = maker.definition if maker is not None else None
    return definition is not None and definition.payload_effect in (PayloadEffect.READS, PayloadEffect.NONE)
