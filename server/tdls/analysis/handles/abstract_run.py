"""Runs a script without a payload: computes the effect of each operation on the payload sets of handles.

The order of checks is that of `TransformState::applyTransform`: operands from left to right; consumed operands
invalidate other handles before the body is executed; bodies that are isolated from above do not invalidate handles
around them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tdls.analysis.handles.effects import NO_CHANGES, ChangeAnalysis, CodeMotions, confined, note_changes
from tdls.analysis.handles.evaluation.payload_run import Evaluated
from tdls.analysis.handles.invalid_uses import Cause, InvalidUse, RepeatedConsumption, invalid_use
from tdls.analysis.handles.invalidation import may_reach, reached
from tdls.analysis.handles.locations import Locations
from tdls.analysis.handles.payload.facts import NOTHING_SAID, UNKNOWN, PayloadFacts
from tdls.analysis.handles.payload.lattice import Certainty, Origin, Repetition
from tdls.analysis.handles.payload.names import PayloadNames
from tdls.analysis.handles.payload.sets import Nesting, PayloadSet, link
from tdls.analysis.handles.payload.written_payload import payload_beside
from tdls.catalogue.model import EffectSource, PayloadEffect
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.semantic.transform_dialect import is_transform_operation
from tdls.syntax.parser.asm_parser import DefinitionFact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.effects import Changes
    from tdls.analysis.handles.matches import Found
    from tdls.catalogue.model import OperationDefinition
    from tdls.limits import Budget
    from tdls.semantic.model import Block, Operation, Value


class Linked(Protocol):
    """The part of a run that links between sets need."""

    context: Context
    names: PayloadNames
    step: int

    def set_of(self, value: Value) -> PayloadSet:
        """Return the payload set of `value`."""

    def link(self, inner: PayloadSet, outer: PayloadSet, nesting: Nesting, made: int, *, is_firm: bool = False) -> None:
        """Record how `inner` relates to `outer`."""


class _NestedHandle(NamedTuple):
    """Inner loops known to be in outer loops since a step of the run."""

    inner: PayloadSet
    outer: PayloadSet
    since: int


@dataclass(slots=True)
class NestedHandles:
    """Sets of loops that are nested in loops of another set, in one run."""

    _nests: list[_NestedHandle] = field(default_factory=list)

    def add(self, run: Linked, inner: PayloadSet, outer: PayloadSet) -> None:
        """Record that the loops of `inner` are in those of `outer`; one operation made both."""
        run.link(inner, outer, Nesting.NESTED, run.step)
        self._nests.append(_NestedHandle(inner, outer, run.step))

    def renew(self, run: Linked, operation: Operation, before: int) -> None:
        """Keep nests that hold since step `before` if `operation`, which moves operations, moves none of their loops.

        That holds if `operation` has no patterns and consumes no handle to operations that may contain loops: a loop of
        a nest uses values that the loop around it defines, so that it cannot be hoisted.
        """
        nests, self._nests = self._nests, []
        if not nests or not _moves_others(run, operation):
            return
        for nest in nests:
            if nest.since >= before:
                self.add(run, nest.inner, nest.outer)


def _moves_others(run: Linked, operation: Operation) -> bool:
    definition = operation.definition
    if definition is None or not definition.versions or definition.regions:
        return False
    consumed = (
        value for value in operation.operands if value is not None and run.context.effects.consumes(operation, value)
    )
    return all(_is_without_bodies(run, value) for value in consumed)


def _is_without_bodies(run: Linked, value: Value) -> bool:
    """Tell whether no payload operation of `value` can contain another one of their names, as loops can."""
    names = run.set_of(value).facts.names
    return bool(names) and not any(run.names.may_contain(name, names) for name in names or ())


_TRACKS = "ReportTrackingListenerFailuresOpTrait"
_FOR_EACH = "TransformEachOpTrait"
"""Trait of operations applied to one payload operation after the other: an erased earlier one may erase a later one."""
_OPERATION = 8
"""Budget cost of an operation, in addition to one step for each visited set, link and handle."""
_LINK = 4
_HANDLE = 8
"""Additional budget cost of invalidating a handle."""
_MOST_EVENTS = 64
"""Maximum number of earlier consumptions to compare with a use to find a possible cause."""


class _Event(NamedTuple):
    """A consumption of a set at one step of the run, in one scope."""

    step: int
    scope: int
    set: PayloadSet
    cause: Cause


@dataclass
class AbstractRun:
    """The state of a run. `transfer` applies the effects of an operation other than consumption.

    Methods raise `OverBudget` when the script takes more than `budget`; the state is meaningless then.
    """

    context: Context
    budget: Budget
    transfer: Callable[[AbstractRun, Operation], None]
    uses: list[InvalidUse] = field(default_factory=list)
    """Uses of invalid handles, in the order of execution."""
    repeated: list[RepeatedConsumption] = field(default_factory=list)
    step: int = 0
    last_touch: int = 0
    """The last step in which the payload changed in any way."""
    last_change: int = 0
    """The last step that may have added or erased payload operations."""
    last_container: int = 0
    """The last step that may have added functions or other containers."""
    depth: int = 0
    """The current depth of calls."""
    is_repeated: bool = False
    """True in the second iteration of a loop: running a nested loop twice again would find the same."""
    begins: bool = False
    """True if the interpreter begins here, with the payload of the script's file."""
    known: Evaluated = field(default_factory=Evaluated)
    """The result of running the script on that payload."""
    matches: dict[PayloadSet, list[Found]] = field(default_factory=dict)
    """The results of matches, by the searched set."""
    nests: NestedHandles = field(default_factory=NestedHandles)
    """Nested loops made by one operation."""
    located: list[PayloadSet] = field(default_factory=list)
    """Sets with known written operations, the latest at the end."""
    root: PayloadSet | None = None
    """The payload root, if the script has no other argument."""
    searched_roots: list[PayloadSet] = field(default_factory=list)
    """Searched sets (keys of `matches`) that are the payload root."""
    _kinds: dict[str, HandleKind | None] = field(default_factory=dict)
    """Handle kinds by type."""
    _sets: dict[Value, PayloadSet] = field(default_factory=dict)
    _scopes: dict[Value, int] = field(default_factory=dict)
    _since: dict[Value, int] = field(default_factory=dict)
    _stale: dict[Value, Cause] = field(default_factory=dict)
    _undo: list[tuple[Value, Cause | None]] = field(default_factory=list)
    """The previous entry of `_stale` for each change, the last change at the end."""
    _doubts: dict[Value, Cause] = field(default_factory=dict)
    """Possible causes of invalidity from bodies that may not be executed."""
    _events: list[_Event] = field(default_factory=list)
    _last_rewriting: int = 0
    """The last step that applied patterns or passes, which may erase any operation."""
    _scope: int = 0
    _next_scope: int = 0

    def __post_init__(self) -> None:
        self.names = PayloadNames(self.context.catalogue)
        self.changes = ChangeAnalysis(self.context, self.names, self.budget)
        self.where = Locations(payload_beside(self.context) if self.begins else (), self.names, self.budget)
        """The places of sets in the payload before the run, if it is known to be the written one."""
        self.code_motions = CodeMotions(self.where)
        """Moves of operations, which end the validity of links."""

    # Blocks

    def execute(self, block: Block) -> None:
        """Execute the operations of a block in turn."""
        for operation in block.operations:
            if is_transform_operation(operation):
                self._apply(operation)

    def isolated(self, block: Block) -> None:
        """Execute a block that is isolated from above: its operations do not invalidate handles outside of it."""
        outer = self._scope
        self._next_scope += 1
        self._scope = self._next_scope
        self.execute(block)
        self._scope = outer

    def perhaps(self, execute: Callable[[], None]) -> dict[Value, Cause]:
        """Call `execute` for a body that may not be executed; undo it, and return the causes of possible invalidity."""
        before, found, happened = self.snapshot(), len(self.uses), len(self._events)
        execute()
        self.uses[found:] = [use._replace(is_certain=False) for use in self.uses[found:]]
        doubts = {value: cause._replace(reach=None) for value, cause in self._stale_since(before)}
        del self._events[happened:]
        self.restore(before)
        return doubts

    def doubt(self, causes: dict[Value, Cause]) -> None:
        """Record possible causes of invalidity."""
        self._doubts.update(causes)

    def forget(self, block: Block) -> None:
        """Leave a region: mark handles defined in it as valid, since entering it again defines them anew."""
        for value in (*block.arguments, *(result for operation in block.operations for result in operation.results)):
            self._make_valid(value)

    def snapshot(self) -> int:
        """Return a token for the current set of invalid handles."""
        return len(self._undo)

    def restore(self, before: int) -> None:
        """Restore the state of a `snapshot`; no earlier snapshot may have been restored since it was taken."""
        self.budget.spend(len(self._undo) - before)
        while len(self._undo) > before:
            value, cause = self._undo.pop()
            if cause is None:
                self._stale.pop(value, None)
            else:
                self._stale[value] = cause

    def _stale_since(self, before: int) -> Iterator[tuple[Value, Cause]]:
        """Yield, once each, the handles that became invalid since `snapshot` returned `before`, with the cause."""
        first: dict[Value, Cause | None] = {}
        for value, cause in self._undo[before:]:
            first.setdefault(value, cause)
        for value, cause in first.items():
            now = self._stale.get(value)
            if cause is None and now is not None:
                yield value, now

    def _make_valid(self, value: Value) -> None:
        cause = self._stale.pop(value, None)
        if cause is not None:
            self._undo.append((value, cause))
        self._doubts.pop(value, None)

    # Handles

    def kind(self, value: Value) -> HandleKind | None:
        """Return the handle kind of the type of `value`; None for unknown types."""
        if value.type is None:
            return None
        if value.type not in self._kinds:
            self._kinds[value.type] = kind_of(self.context.catalogue, value.type)
        return self._kinds[value.type]

    def is_parameter(self, value: Value) -> bool:
        """Tell whether `value` is a parameter (a list of attributes), which is never invalid."""
        return self.kind(value) is HandleKind.PARAMETERS

    def new_set(self, value: Value, maker: Operation | None, facts: PayloadFacts = NOTHING_SAID) -> PayloadSet:
        """Bind `value` to a new set with `facts`."""
        return self.stand_for(value, PayloadSet(value, maker, self.step, facts))

    def stand_for(self, value: Value, payload: PayloadSet) -> PayloadSet:
        """Bind `value`, which is defined now, to the set `payload`."""
        self._make_valid(value)
        self._sets[value] = payload
        self._scopes[value] = self._scope
        self._since[value] = self.step
        payload.handles.append(value)
        return payload

    def link(self, inner: PayloadSet, outer: PayloadSet, nesting: Nesting, made: int, *, is_firm: bool = False) -> None:
        """Record how `inner` relates to `outer`."""
        self.budget.spend(_LINK)
        link(inner, outer, nesting, made, is_firm=is_firm)

    def is_known(self, value: Value) -> bool:
        """Tell whether `value` is bound to a set."""
        return value in self._sets

    def set_of(self, value: Value) -> PayloadSet:
        """Return the payload set of `value`; an unbound value gets a new set with `UNKNOWN` facts."""
        known = self._sets.get(value)
        return known if known is not None else self.new_set(value, value.operation, UNKNOWN)

    def cause_of(self, value: Value) -> Cause | None:
        """Return the cause by which `value` is certainly invalid now; None if there is none."""
        return self._stale.get(value)

    def may_be_invalid(self, value: Value) -> bool:
        """Tell whether `value` may have become invalid up to now."""
        return value in self._stale or self._possible(value) is not None

    def may_have_gone(self, value: Value) -> bool:
        """Tell whether patterns, passes or moves may have erased the payload of `value` since its definition."""
        return self._since[value] < self._last_erasure and not self._always_stays(self.set_of(value))

    def may_have_shrunk(self, value: Value) -> bool:
        """Tell whether operations may have been erased from the payload of `value`, which itself stays valid."""
        return self._since[value] < self.last_change and not self._always_stays(self.set_of(value))

    @property
    def _last_erasure(self) -> int:
        """The last step that may have erased any operation."""
        return max(self.code_motions.last, self._last_rewriting)

    def _always_stays(self, payload: PayloadSet) -> bool:
        """Tell whether the operations of a set are erased only by operations that consume a handle to them."""
        return payload.facts.is_root or self.names.are_containers(payload.facts.names)

    def is_live(self, payload: PayloadSet) -> bool:
        """Tell whether a handle to `payload` is still valid."""
        stale = self._stale
        if payload.handles and payload.handles[-1] not in stale:
            return True
        self.budget.spend(len(payload.handles))
        for handle in reversed(payload.handles):  # noqa: SIM110 - called most often, and twice as fast
            if handle not in stale:
                return True
        return False

    def recent_sets(self, most: int) -> Iterator[PayloadSet]:
        """Yield the sets of the latest `most` handles that are valid and whose operations cannot have been erased."""
        erased = self._last_erasure
        self.budget.spend(min(most, len(self._sets)))
        stale, scopes, since, scope = self._stale, self._scopes, self._since, self._scope
        for value, payload in islice(reversed(self._sets.items()), most):
            is_there = value not in stale and scopes[value] == scope
            if is_there and (since[value] >= erased or self._always_stays(payload)):
                yield payload

    def has_brought(self, names: frozenset[str]) -> bool:
        """Tell whether a valid handle certainly holds operations with `names`, and its maker changes the payload."""
        self.budget.spend(len(self._sets))
        return any(
            payload.facts.names
            and payload.facts.names <= names
            and not payload.may_be_empty
            and value not in self._stale
            and _changes_payload(payload.maker)
            for value, payload in self._sets.items()
        )

    # Operations

    def _apply(self, operation: Operation) -> None:
        self.step += 1
        self.budget.spend(_OPERATION + len(operation.operands) + len(operation.results))
        self._check(operation)
        changes = self.changes.of_operation(operation)
        if changes is not NO_CHANGES:
            self._change(operation, changes)
        self.transfer(self, operation)

    def _change(self, operation: Operation, changes: Changes) -> None:
        """Record the `changes` that executing `operation` may make."""
        before, changes = self.code_motions.last, confined(self, operation, changes)
        self.note(changes)
        if changes.moves:
            self.nests.renew(self, operation, before)
        note_changes(self, operation, changes)
        if operation.definition is not None and _rewrites(operation.definition):
            self._last_rewriting = self.step

    def note(self, changes: Changes) -> None:
        """Record the steps of the latest changes."""
        if changes is NO_CHANGES:
            return
        self.last_touch = self.step if changes.touches else self.last_touch
        self.last_change = self.step if changes.changes else self.last_change
        self.last_container = self.step if changes.adds_containers else self.last_container

    def _check(self, operation: Operation) -> None:
        """Report invalid operands, and record the handles invalidated by consumed operands."""
        definition = operation.definition
        takes_repeated = definition is not None and definition.takes_repeated
        is_run_in_parts = definition is not None and definition.effect_source is not EffectSource.FIXED
        fresh: dict[Value, Cause] = {}
        events: list[_Event] = []
        found = len(self.uses)
        assumed = self.context.effects.assumed_consumed(operation)
        doubted: dict[Value, Cause] = {}
        for number, value in enumerate(operation.operands):
            if value is None or self.kind(value) in (None, HandleKind.PARAMETERS):
                continue
            consumes = self.context.effects.consumes(operation, value)
            same_step = None if takes_repeated else fresh.get(value)
            others = events if is_run_in_parts or (consumes and not takes_repeated) else ()
            cause = self._stale.get(value) or same_step or self._possible(value, others)
            if cause is not None and value is not cause.consumed and self.where.is_nowhere(self.set_of(value)):
                cause = None
            if cause is not None:
                self.uses.append(invalid_use(self, operation, number, value, cause))
            if consumes:
                self._consume(operation, number, value, fresh)
                cause = Cause(operation, number, value, None)
                events.append(_Event(self.step, self._scope, self._consumed_set(value), cause))
            elif value in assumed:
                self._consume(operation, number, value, doubted)
        self.doubt({value: cause._replace(is_assumed=True) for value, cause in doubted.items()})
        for value, cause in fresh.items():
            self.budget.spend(_HANDLE)
            if value not in self._stale:
                self._stale[value] = cause
                self._undo.append((value, None))
        self._events.extend(events)
        if not takes_repeated and not any(use.is_certain for use in self.uses[found:]):
            for event in events:
                self._check_repetition(operation, event.cause.operand, event.cause.consumed)

    def has_erased_since(self, cause: Cause) -> bool:
        """Tell whether patterns or passes, which may erase any operation, were applied after the consumer."""
        self.budget.spend(min(len(self._events), _MOST_EVENTS))
        steps = (
            event.step for event in reversed(self._events[-_MOST_EVENTS:]) if event.cause.consumer is cause.consumer
        )
        return self._last_erasure > next(steps, 0)

    def _check_repetition(self, operation: Operation, number: int, value: Value) -> None:
        payload = self.set_of(value)
        facts, is_there = payload.facts, not payload.may_be_empty
        if facts.is_unknown:
            return
        order = facts.outer_first if operation.has_trait(_FOR_EACH) else Certainty.NEVER
        repeats = facts.repetition in (Repetition.CERTAINLY, Repetition.EACH)
        may_repeat = facts.repetition is not Repetition.NEVER
        if repeats or order is Certainty.CERTAINLY:
            self.repeated.append(RepeatedConsumption(operation, number, value, is_there, not repeats))
        elif may_repeat or order is Certainty.POSSIBLY:
            self.repeated.append(RepeatedConsumption(operation, number, value, False, not may_repeat))

    def _consume(self, operation: Operation, number: int, value: Value, fresh: dict[Value, Cause]) -> None:
        """Collect in `fresh` the handles that `operation` invalidates by consuming its operand `number`."""
        for reach in reached(self._consumed_set(value), self.code_motions, self.budget):
            cause = Cause(operation, number, value, reach)
            for handle in reach.set.handles:
                if handle not in self._stale and (self._scopes[handle] == self._scope or handle is value):
                    fresh.setdefault(handle, cause)
        own = self.set_of(value)
        for reach in reached(own, self.code_motions, self.budget) if own.defined_by is not None else ():
            cause = Cause(operation, number, value, reach)
            for handle in reach.set.handles:
                fresh.setdefault(handle, cause)

    def _consumed_set(self, value: Value) -> PayloadSet:
        """Return the set of operations that consuming `value` consumes: the defining ones of a handle to values."""
        own = self.set_of(value)
        return own.defined_by or own

    def _possible(self, value: Value, latest: Sequence[_Event] = ()) -> Cause | None:
        """Return the most recent event that may have invalidated `value`; events of this step are in `latest`."""
        if value in self._doubts:
            return self._doubts[value]
        own = self.set_of(value)
        is_root = own.facts.is_root
        if not is_root and own.facts.origin is not Origin.KNOWN:
            return None
        since, scope, are_placed = self._since[value], self._scopes[value], self.where.is_known
        names, may_cover = own.facts.names, self.names.may_cover
        looked = 0
        for event in chain(reversed(latest), islice(reversed(self._events), _MOST_EVENTS)):
            looked += 1
            if event.step <= since:
                break
            consumed = event.set
            if event.scope != scope or (consumed is not own and not may_cover(consumed.facts.names, names)):
                continue
            if is_root:  # the root stays, unless a handle to its module is consumed
                is_reached = consumed.may_be_root
            else:
                are_apart = are_placed and self.where.are_apart(consumed, own)
                last_motion = self.code_motions.last
                is_reached = not are_apart and may_reach(consumed, own, self.names, last_motion, self.budget)
            if is_reached:
                self.budget.spend(looked)
                return event.cause
        self.budget.spend(looked)
        return None


@DefinitionFact
def _rewrites(definition: OperationDefinition) -> bool:
    """Tell whether operations apply patterns or passes, without a result handle to the rewritten payload."""
    if definition.results or definition.payload_effect is not PayloadEffect.MODIFIES:
        return False
    return _TRACKS in definition.traits


def _changes_payload(maker: Operation | None) -> bool:
    definition = maker.definition if maker is not None else None
    return definition is None or definition.payload_effect not in (PayloadEffect.READS, PayloadEffect.NONE)
