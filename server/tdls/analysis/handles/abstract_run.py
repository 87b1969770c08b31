"""Runs a script without a payload: what each operation would do to what the handles stand for.

The order of checks is that of `TransformState::applyTransform`: operands from left to right, what is consumed makes
other handles invalid before the body is executed, and bodies that are isolated from above leave the handles around
them alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tdls.analysis.handles.effects import NO_CHANGES, ChangeAnalysis, CodeMotions, confined, note_changes
from tdls.analysis.handles.evaluation.running import Evaluated
from tdls.analysis.handles.invalid_uses import Cause, InvalidUse, RepeatedConsumption, invalid_use
from tdls.analysis.handles.invalidation import may_reach, reached
from tdls.analysis.handles.locations import Locations
from tdls.analysis.handles.payload.facts import NOTHING_SAID, UNKNOWN, PayloadFacts
from tdls.analysis.handles.payload.lattice import Certainty, Origin, Repetition
from tdls.analysis.handles.payload.names import PayloadNames
from tdls.analysis.handles.payload.sets import Nesting, PayloadSet, link
from tdls.analysis.handles.payload.written_payload import NOTHING, payload_beside
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
    """A run, as far as links between sets are about it."""

    context: Context
    names: PayloadNames
    step: int

    def set_of(self, value: Value) -> PayloadSet:
        """Return what `value` stands for."""

    def link(self, inner: PayloadSet, outer: PayloadSet, nesting: Nesting, made: int, *, is_firm: bool = False) -> None:
        """Note how `inner` lies to `outer`."""


class _NestedHandle(NamedTuple):
    """An inner loop in an outer one, as it was known in a step of the run."""

    inner: PayloadSet
    outer: PayloadSet
    since: int


@dataclass(slots=True)
class NestedHandles:
    """The nests of a run."""

    _nests: list[_NestedHandle] = field(default_factory=list)

    def add(self, run: Linked, inner: PayloadSet, outer: PayloadSet) -> None:
        """Note that loops are in others, with which they were made."""
        run.link(inner, outer, Nesting.NESTED, run.step)
        self._nests.append(_NestedHandle(inner, outer, run.step))

    def renew(self, run: Linked, operation: Operation, before: int) -> None:
        """Let nests that held since step `before` hold on, if `operation`, which moves things, moves others only.

        That is so if it has no patterns and rewrites nothing that may have loops in it: a loop of a nest needs what the
        loop around it defines, so that nothing takes it out of there.
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
    """Tell whether what `value` stands for is known to contain no operations that have bodies themselves."""
    names = run.set_of(value).facts.names
    return bool(names) and not any(run.names.may_contain(name, names) for name in names or ())


_TRACKS = "ReportTrackingListenerFailuresOpTrait"
_FOR_EACH = "TransformEachOpTrait"
"""Such operations take one payload operation after the other, and no longer find what went with an earlier one."""
_OPERATION = 8
"""What an operation takes of the budget besides sets, links and handles that are looked at, which take one each."""
_LINK = 4
_HANDLE = 8
"""What a handle takes besides when it becomes invalid."""
_MOST_EVENTS = 64
"""How many consumptions a use is compared with for what is only possible."""


class _Event(NamedTuple):
    """A consumption, at one step of the run, in one scope."""

    step: int
    scope: int
    set: PayloadSet
    cause: Cause


@dataclass
class AbstractRun:
    """The state of a run. `transfer` says what single operations do besides consuming.

    Raises `OverBudget` where the script takes more than `budget`; the run has no meaning then.
    """

    context: Context
    budget: Budget
    transfer: Callable[[AbstractRun, Operation], None]
    uses: list[InvalidUse] = field(default_factory=list)
    """What was found, in the order of execution."""
    repeated: list[RepeatedConsumption] = field(default_factory=list)
    step: int = 0
    last_touch: int = 0
    """The last step in which the payload changed in any way."""
    last_change: int = 0
    """The last step in which payload operations may have come or gone."""
    last_container: int = 0
    """The last step in which functions, or the like, may have come."""
    depth: int = 0
    """How many calls deep the run is."""
    is_repeated: bool = False
    """True in the second iteration of a loop: a loop in it is not run twice again, which would find the same."""
    begins: bool = False
    """True if the interpreter begins here, with the payload that is written beside the script."""
    known: Evaluated = field(default_factory=Evaluated)
    """What running the script on that payload tells."""
    matches: dict[PayloadSet, list[Found]] = field(default_factory=dict)
    """What matches found, by the set that they looked in."""
    nests: NestedHandles = field(default_factory=NestedHandles)
    """Loops in loops that one operation made."""
    located: list[PayloadSet] = field(default_factory=list)
    """Sets of which it is known which written operations they have, the last ones at the end."""
    searched_roots: list[PayloadSet] = field(default_factory=list)
    """Those of these sets that are what the script is applied to."""
    _kinds: dict[str, HandleKind | None] = field(default_factory=dict)
    """Kinds of values by the types that they have."""
    _sets: dict[Value, PayloadSet] = field(default_factory=dict)
    _scopes: dict[Value, int] = field(default_factory=dict)
    _since: dict[Value, int] = field(default_factory=dict)
    _stale: dict[Value, Cause] = field(default_factory=dict)
    _undo: list[tuple[Value, Cause | None]] = field(default_factory=list)
    """What `_stale` said before of each value for which it changed, the last change at the end."""
    _doubts: dict[Value, Cause] = field(default_factory=dict)
    """What may have made handles invalid, in bodies that may have been left out."""
    _events: list[_Event] = field(default_factory=list)
    _last_rewriting: int = 0
    """The last step in which patterns, or the like, were applied, which may erase anything."""
    _scope: int = 0
    _next_scope: int = 0

    def __post_init__(self) -> None:
        self.written = payload_beside(self.context) if self.begins else NOTHING
        """The payload as it is before the run, as far as it is known to be that which is written beside the script."""
        self.names = PayloadNames(self.context.catalogue)
        self.changes = ChangeAnalysis(self.context, self.names, self.budget)
        self.where = Locations(self.written, self.names, self.budget)
        """Where sets are in that payload."""
        self.code_motions = CodeMotions(self.where)
        """What was moved, as far as knowledge about handles depends on it."""

    # Blocks

    def execute(self, block: Block) -> None:
        """Execute the operations of a block in turn."""
        for operation in block.operations:
            if is_transform_operation(operation):
                self._apply(operation)

    def isolated(self, block: Block) -> None:
        """Execute a block whose operations do not make handles outside of it invalid."""
        outer = self._scope
        self._next_scope += 1
        self._scope = self._next_scope
        self.execute(block)
        self._scope = outer

    def perhaps(self, execute: Callable[[], None]) -> dict[Value, Cause]:
        """Let `execute` do what may be left out, and return what makes handles invalid if it is not."""
        before, found, happened = self.snapshot(), len(self.uses), len(self._events)
        execute()
        self.uses[found:] = [use._replace(is_certain=False) for use in self.uses[found:]]
        doubts = {value: cause._replace(reach=None) for value, cause in self._stale_since(before)}
        del self._events[happened:]
        self.restore(before)
        return doubts

    def doubt(self, causes: dict[Value, Cause]) -> None:
        """Note what may have made handles invalid."""
        self._doubts.update(causes)

    def forget(self, block: Block) -> None:
        """Leave a region: handles that are defined in it are new ones when it is entered again."""
        for value in (*block.arguments, *(result for operation in block.operations for result in operation.results)):
            self._make_valid(value)

    def snapshot(self) -> int:
        """Return what stands for the handles that are invalid now."""
        return len(self._undo)

    def restore(self, before: int) -> None:
        """Take up a state that `snapshot` returned, before which nothing was taken up since."""
        self.budget.spend(len(self._undo) - before)
        while len(self._undo) > before:
            value, cause = self._undo.pop()
            if cause is None:
                self._stale.pop(value, None)
            else:
                self._stale[value] = cause

    def _stale_since(self, before: int) -> Iterator[tuple[Value, Cause]]:
        """Yield the handles that are invalid now, and were not when `snapshot` returned `before`, each once."""
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
        """Return which kind of handle a value is, by its type; None for unknown types."""
        if value.type is None:
            return None
        if value.type not in self._kinds:
            self._kinds[value.type] = kind_of(self.context.catalogue, value.type)
        return self._kinds[value.type]

    def is_parameter(self, value: Value) -> bool:
        """Tell whether `value` stands for attributes, which are never invalid."""
        return self.kind(value) is HandleKind.PARAMETERS

    def new_set(self, value: Value, maker: Operation | None, facts: PayloadFacts = NOTHING_SAID) -> PayloadSet:
        """Let `value` stand for operations of its own, of which `facts` are known."""
        return self.stand_for(value, PayloadSet(value, maker, self.step, facts))

    def stand_for(self, value: Value, payload: PayloadSet) -> PayloadSet:
        """Let `value`, which is defined now, stand for `payload`."""
        self._make_valid(value)
        self._sets[value] = payload
        self._scopes[value] = self._scope
        self._since[value] = self.step
        payload.handles.append(value)
        return payload

    def link(self, inner: PayloadSet, outer: PayloadSet, nesting: Nesting, made: int, *, is_firm: bool = False) -> None:
        """Note how `inner` lies to `outer`."""
        self.budget.spend(_LINK)
        link(inner, outer, nesting, made, is_firm=is_firm)

    def is_known(self, value: Value) -> bool:
        """Tell whether it was said what `value` stands for."""
        return value in self._sets

    def set_of(self, value: Value) -> PayloadSet:
        """Return what `value` stands for; of what was never said to stand for anything, nothing is known."""
        known = self._sets.get(value)
        return known if known is not None else self.new_set(value, value.operation, UNKNOWN)

    def cause_of(self, value: Value) -> Cause | None:
        """Return why `value` is certain to be invalid by now; None if it is not."""
        return self._stale.get(value)

    def may_be_invalid(self, value: Value) -> bool:
        """Tell whether `value` may have become invalid up to now."""
        return value in self._stale or self._possible(value) is not None

    def may_have_gone(self, value: Value) -> bool:
        """Tell whether what `value` stands for may have been erased since by patterns, or the like."""
        return self._since[value] < self._last_erasure and not self._always_stays(self.set_of(value))

    def may_have_shrunk(self, value: Value) -> bool:
        """Tell whether operations that `value` stands for may have been erased, which leaves it valid without them."""
        return self._since[value] < self.last_change and not self._always_stays(self.set_of(value))

    @property
    def _last_erasure(self) -> int:
        """The last step in which anything may have been erased."""
        return max(self.code_motions.last, self._last_rewriting)

    def _always_stays(self, payload: PayloadSet) -> bool:
        """Tell whether nothing erases the operations of a set but what consumes a handle to them."""
        return payload.facts.is_root or self.names.are_containers(payload.facts.names)

    def is_live(self, payload: PayloadSet) -> bool:
        """Tell whether a handle to `payload` is still valid."""
        stale = self._stale
        if payload.handles and payload.handles[-1] not in stale:
            return True
        self.budget.spend(len(payload.handles))
        for handle in reversed(payload.handles):  # noqa: SIM110 - most often asked, and twice as fast
            if handle not in stale:
                return True
        return False

    def recent_sets(self, most: int) -> Iterator[PayloadSet]:
        """Yield what valid handles stand for that were made last, and of which nothing was erased since."""
        erased = self._last_erasure
        self.budget.spend(min(most, len(self._sets)))
        stale, scopes, since, scope = self._stale, self._scopes, self._since, self._scope
        for value, payload in islice(reversed(self._sets.items()), most):
            is_there = value not in stale and scopes[value] == scope
            if is_there and (since[value] >= erased or self._always_stays(payload)):
                yield payload

    def has_brought(self, names: frozenset[str]) -> bool:
        """Tell whether a valid handle that nobody doubts is to operations with `names` that a change made."""
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
        """Note what is no longer as it was, since `operation` is executed, which may do `changes`."""
        before, changes = self.code_motions.last, confined(self, operation, changes)
        self.note(changes)
        if changes.moves:
            self.nests.renew(self, operation, before)
        note_changes(self, operation, changes)
        if operation.definition is not None and _rewrites(operation.definition):
            self._last_rewriting = self.step

    def note(self, changes: Changes) -> None:
        """Note what is no longer as it was."""
        if changes is NO_CHANGES:
            return
        self.last_touch = self.step if changes.touches else self.last_touch
        self.last_change = self.step if changes.changes else self.last_change
        self.last_container = self.step if changes.adds_containers else self.last_container

    def _check(self, operation: Operation) -> None:
        """Report invalid operands, and note what becomes invalid by those that are consumed."""
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
            beside = None if takes_repeated else fresh.get(value)
            others = events if is_run_in_parts or (consumes and not takes_repeated) else ()
            cause = self._stale.get(value) or beside or self._possible(value, others)
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
        """Tell whether patterns or passes, which may erase anything, were applied behind the consuming operation."""
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
        """Collect the handles in reach that `operation` makes invalid by consuming its operand `number`."""
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
        """Return the operations that go with `value`: those that define its values, if it is a handle to values."""
        own = self.set_of(value)
        return own.defined_by or own

    def _possible(self, value: Value, beside: Sequence[_Event] = ()) -> Cause | None:
        """Return what may have made `value` invalid, the last one first, beginning with `beside`."""
        if value in self._doubts:
            return self._doubts[value]
        own = self.set_of(value)
        if own.facts.origin is not Origin.KNOWN:
            return None
        since, scope, are_placed = self._since[value], self._scopes[value], self.where.is_known
        names, may_cover = own.facts.names, self.names.may_cover
        looked = 0
        for event in chain(reversed(beside), islice(reversed(self._events), _MOST_EVENTS)):
            looked += 1
            if event.step <= since:
                break
            consumed = event.set
            if event.scope != scope or (consumed is not own and not may_cover(consumed.facts.names, names)):
                continue
            if are_placed and self.where.are_apart(consumed, own):
                continue
            if may_reach(consumed, own, self.names, self.code_motions.last, self.budget):
                self.budget.spend(looked)
                return event.cause
        self.budget.spend(looked)
        return None


@DefinitionFact
def _rewrites(definition: OperationDefinition) -> bool:
    """Tell whether an operation applies patterns, or the like, to what it returns no handle to."""
    if definition.results or definition.payload_effect is not PayloadEffect.MODIFIES:
        return False
    return _TRACKS in definition.traits


def _changes_payload(maker: Operation | None) -> bool:
    definition = maker.definition if maker is not None else None
    return definition is None or definition.payload_effect not in (PayloadEffect.READS, PayloadEffect.NONE)
