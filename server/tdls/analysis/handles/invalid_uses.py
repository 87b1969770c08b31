"""The log of a run without payload: consumptions, uses of invalid handles, and the handles that could replace these.

A successor is a result of the consumer whose catalogue relation (`LIKE`, `REPLACES`) names the consumed operand.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from tdls.analysis.file.finding import SectionEdit, SectionFix
from tdls.analysis.handles.changes import effect_of
from tdls.analysis.handles.contents import Certainty, Origin
from tdls.analysis.handles.handle_state import Cause, HandleState
from tdls.analysis.handles.matches import match_of
from tdls.analysis.handles.sets import is_suspected, may_reach, reached
from tdls.catalogue.model import EffectSource, PayloadEffect, RelationKind
from tdls.semantic.handle_types import HandleKind
from tdls.structs import NamedTuple, Struct, field

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.analysis.handles.matches import Match
    from tdls.analysis.handles.payload_state import PayloadState
    from tdls.analysis.handles.sets import PayloadSet
    from tdls.semantic.model import Operation, Value


def use_instead(operation: Operation, operand: int, successor: Value) -> SectionFix:
    """Return the fix that replaces an operand of `operation` by `successor`."""
    place = operation.syntax.operands[operand].span
    return SectionFix(f"Use `{successor.shown}`", (SectionEdit(place, successor.shown),))


def successors(value: Value, consumer: Operation) -> list[Value]:
    """Return the results of `consumer` that hold operations like those of `value`, or its only one if it replaces."""
    definition = consumer.definition
    operands = {name for name in consumer.syntax.operand_groups or {} if value in consumer.group(name)}
    values: list[Value] = []
    for result in definition.results if definition is not None else ():
        group = consumer.result_group(result.name)
        kinds = {relation.kind for relation in result.relations if relation.other in operands}
        is_only_one = RelationKind.REPLACES in kinds and len(consumer.results) == 1
        if (RelationKind.LIKE in kinds or is_only_one) and len(group) == 1:
            values.append(group[0])
    return values


def is_visible(value: Value, user: Operation) -> bool:
    """Whether `value` is the result of an operation before `user` in its block, or before one around it."""
    maker = value.operation
    return maker is not None and any(
        around.block is maker.block and maker.index < around.index for around in (user, *user.ancestors())
    )


_TERMINATOR = "IsTerminator"
"""The interpreter does not check the operands of terminators: an invalid handle there may have no effect."""
_MOST_SUCCESSORS = 16
"""Maximum number of successive consumed successors to follow."""


class InvalidUse(NamedTuple):
    """Operand number `operand` of `operation` is an invalid handle, certainly or possibly."""

    operation: Operation
    operand: int
    value: Value
    cause: Cause
    is_certain: bool
    """True if the interpreter stops here, provided that the handles are not empty."""
    successor: Value | None = None
    """The valid handle that replaces the consumed one, if there is exactly one."""
    can_be_made_again: bool = False
    """True if there is no successor, and the operation that found the handle could be repeated before the use."""


class RepeatedConsumption(NamedTuple):
    """A consumed operand, number `operand` of `operation`, that holds a payload operation more than once."""

    operation: Operation
    operand: int
    value: Value
    is_certain: bool
    is_nested: bool
    """True if the handle holds an operation before one nested in it, rather than the same one twice."""


_FOR_EACH = "TransformEachOpTrait"
"""Trait of operations applied to one payload operation after the other: an erased earlier one may erase a later one."""
_MOST_EVENTS = 64
"""Maximum number of earlier consumptions to compare with a use to find a possible cause."""


class _Event(NamedTuple):
    """A consumption of a set at one step of the run, in one scope."""

    step: int
    scope: int
    set: PayloadSet
    cause: Cause


class EventLog(Struct):
    """Consumptions and uses of handles in one run, in the order of execution."""

    handles: HandleState
    payload: PayloadState
    uses: list[InvalidUse] = field(default_factory=list)
    """Uses of invalid handles."""
    repeated: list[RepeatedConsumption] = field(default_factory=list)
    ended: dict[Operation, tuple[Value, ...]] = field(default_factory=dict)
    """The handles that each consuming operation made invalid when it was first executed."""
    _events: list[_Event] = field(default_factory=list)

    def check(self, operation: Operation) -> None:
        """Report invalid operands, and record the handles invalidated by consumed operands."""
        definition = operation.definition
        takes_repeated = definition is not None and definition.takes_repeated
        is_run_in_parts = definition is not None and definition.effect_source is not EffectSource.FIXED
        fresh: dict[Value, Cause] = {}
        events: list[_Event] = []
        count = len(self.uses)
        assumed = self.handles.context.effects.assumed_consumed(operation)
        doubted: dict[Value, Cause] = {}
        doubtful: list[_Event] = []
        for number, value in enumerate(operation.operands):
            if value is None or self.handles.kind(value) in (None, HandleKind.PARAMETERS):
                continue
            consumes = self.handles.context.effects.consumes(operation, value)
            same_step = None if takes_repeated else fresh.get(value)
            others = events if is_run_in_parts or (consumes and not takes_repeated) else ()
            if others and _takes_one(operation, value):
                own = self.handles.set_of(value)  # data flow leads from one operation to another one
                others = [
                    event for event in others if own is not event.set.flows_from and event.set is not own.flows_from
                ]
            cause = self.handles.stale.get(value) or same_step or self._possible(value, others)
            if (
                cause is not None
                and value is not cause.consumed
                and self.payload.places.is_nowhere(self.handles.set_of(value))
            ):
                cause = None
            if cause is not None:
                self.uses.append(_invalid_use(self, operation, number, value, cause))
            if consumes or value in assumed:
                self._consume(operation, number, value, fresh if consumes else doubted)
                cause = Cause(operation, number, value, None, is_assumed=not consumes)
                own = self.handles.set_of(value)
                event = _Event(self.handles.step, self.handles.scope, own.defined_by or own, cause)
                (events if consumes else doubtful).append(event)
        self.handles.doubts.update({value: cause._replace(is_assumed=True) for value, cause in doubted.items()})
        if fresh:
            self.ended.setdefault(operation, tuple(value for value in fresh if value not in self.handles.stale))
        self.handles.invalidate(fresh)
        self._events.extend(events if definition is None or definition.custom_assembly else events + doubtful)
        if not takes_repeated and not any(use.is_certain for use in self.uses[count:]):
            for event in events:
                self._check_repetition(operation, event.cause.operand, event.cause.consumed)

    def has_erased_since(self, cause: Cause) -> bool:
        """Whether patterns or passes, which may erase any operation, were applied after the consumer."""
        self.handles.budget.spend(min(len(self._events), _MOST_EVENTS))
        steps = (
            event.step for event in reversed(self._events[-_MOST_EVENTS:]) if event.cause.consumer is cause.consumer
        )
        return self.payload.last_erasure > next(steps, 0)

    def may_have_used_up(self, match: Match) -> bool:
        """Whether the last consumption or lowering of operations with the names of `match` may have left none.

        It has left some if its results, or those of another change, hold such operations.
        """
        names = match.names
        if not names:
            return False
        self.handles.budget.spend(min(len(self._events), _MOST_EVENTS))
        dialects = {name.partition(".")[0] for name in names}
        for event in islice(reversed(self._events), _MOST_EVENTS):
            consumed = event.set.facts.names
            if (consumed is not None and names <= consumed) or dialects == {effect_of(event.cause.consumer).lowers}:
                made = [
                    self.handles.set_of(each) for each in event.cause.consumer.results if self.handles.is_known(each)
                ]
                is_left = any(payload.facts.names and payload.facts.names <= names for payload in made)
                return not is_left and not self.payload.has_brought(match)
        return False

    def may_be_invalid(self, value: Value) -> bool:
        """Whether `value` may have become invalid up to now."""
        return value in self.handles.stale or self._possible(value, is_suspected_only=False) is not None

    def perhaps(self, execute: Callable[[], None]) -> dict[Value, Cause]:
        """Call `execute` for a body that may not be executed; undo it, and return the causes of possible invalidity."""
        before, count, happened = self.handles.snapshot(), len(self.uses), len(self._events)
        execute()
        self.uses[count:] = [use._replace(is_certain=False) for use in self.uses[count:]]
        doubts = {value: cause._replace(reach=None) for value, cause in self.handles.stale_since(before)}
        del self._events[happened:]
        self.handles.restore(before)
        return doubts

    def _check_repetition(self, operation: Operation, number: int, value: Value) -> None:
        payload = self.handles.set_of(value)
        facts, is_there = payload.facts, not payload.may_be_empty
        if facts.is_unknown:
            return
        order = facts.outer_first if operation.has_trait(_FOR_EACH) else Certainty.NEVER
        repeats = facts.repetition in (Certainty.CERTAINLY, Certainty.EACH)
        may_repeat = facts.repetition is not Certainty.NEVER
        if repeats or order is Certainty.CERTAINLY:
            self.repeated.append(RepeatedConsumption(operation, number, value, is_there, not repeats))
        elif (may_repeat or order is Certainty.POSSIBLY) and not _takes_one(operation, value):
            self.repeated.append(RepeatedConsumption(operation, number, value, False, not may_repeat))

    def _consume(self, operation: Operation, number: int, value: Value, fresh: dict[Value, Cause]) -> None:
        """Collect in `fresh` the handles that `operation` invalidates by consuming its operand `number`."""
        own = self.handles.set_of(value)
        for consumed in (own,) if own.defined_by is None else (own.defined_by, own):
            for reach in reached(consumed, self.payload.last_motion, self.handles.budget):
                self._invalidate(Cause(operation, number, value, reach), fresh)

    def _invalidate(self, cause: Cause, fresh: dict[Value, Cause]) -> None:
        """Collect in `fresh` the handles that become invalid by `cause`, in place of doubtful causes."""
        for handle in cause.reach.set.handles if cause.reach is not None else ():
            if self.handles.scopes[handle] != self.handles.scope and handle is not cause.consumed:
                continue
            former = fresh.get(handle) or self.handles.stale.get(handle)
            if former is None or (not _is_certain(self, handle, former) and _is_certain(self, handle, cause)):
                fresh[handle] = cause

    def _possible(self, value: Value, latest: Sequence[_Event] = (), *, is_suspected_only: bool = True) -> Cause | None:
        """Return the most recent event that may have invalidated `value`, and that there is a reason to suspect.

        Events of this step are in `latest`. Without `is_suspected_only`, any event that may have done so counts.
        """
        if value in self.handles.doubts:
            return self.handles.doubts[value]
        own = self.handles.set_of(value)
        is_root = own.facts.is_root
        if not is_root and own.facts.origin is not Origin.KNOWN:
            return None
        since, scope, are_placed = self.handles.since[value], self.handles.scopes[value], self.payload.places.is_known
        names, names_of_all = own.facts.names, self.handles.names
        may_cover = names_of_all.may_cover
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
                are_apart = are_placed and self.payload.places.are_apart(consumed, own)
                last_motion = self.payload.last_motion
                is_reached = not are_apart and may_reach(
                    consumed, own, self.handles.names, last_motion, self.handles.budget
                )
            is_any = is_root or not is_suspected_only
            if is_reached and (is_any or is_suspected(consumed, own, names_of_all, self.handles.budget)):
                self.handles.budget.spend(looked)
                return event.cause
        self.handles.budget.spend(looked)
        return None


def _takes_one(operation: Operation, value: Value) -> bool:
    """Whether a handle to several operations fails for another reason."""
    definition = operation.definition
    return definition is not None and any(
        operand.takes_one and value in operation.group(operand.name) for operand in definition.operands
    )


def _invalid_use(log: EventLog, operation: Operation, number: int, value: Value, cause: Cause) -> InvalidUse:
    """Return the description of operand `number` of `operation`, invalid by `cause`, with a possible replacement."""
    successor = _successor(log, operation, value, cause)
    again = successor is None and _can_be_made_again(log, value) and _is_there_still(log, value, cause)
    is_certain = _is_certain(log, value, cause) and not operation.has_trait(_TERMINATOR)
    return InvalidUse(operation, number, value, cause, is_certain, successor, again)


def _is_certain(log: EventLog, value: Value, cause: Cause) -> bool:
    """Whether `value` is invalid for every payload; a consumed handle is, even if it is empty."""
    if cause.reach is None or cause.is_assumed:
        return False
    if value is cause.consumed:
        return True
    return not log.handles.set_of(cause.consumed).may_be_empty and not cause.reach.part.may_be_empty


def _can_be_made_again(log: EventLog, value: Value) -> bool:
    """Whether the operation with the only result `value` just reads the payload, from valid operands."""
    maker = value.operation
    if maker is None or maker.definition is None or len(maker.results) != 1 or maker.regions:
        return False
    only_reads = maker.definition.payload_effect in (PayloadEffect.READS, PayloadEffect.NONE)
    operands = [operand for operand in maker.operands if operand is not None]
    return only_reads and bool(operands) and not any(log.may_be_invalid(operand) for operand in operands)


def _is_there_still(log: EventLog, value: Value, cause: Cause) -> bool:
    """Whether the kinds that the maker of `value` searches for survive `cause`: in place, or in the successor."""
    maker = value.operation
    match = match_of(maker) if maker is not None else None
    if match is None or (match.names is None and match.interface is None):
        return True
    if log.has_erased_since(cause):
        return False
    if _is_left_in_place(log, value, cause):
        return True
    successor, later = _last_successor(log, cause)
    if successor is None or (later is not None and not _is_left_in_place(log, successor, later)):
        return False
    names = log.handles.set_of(successor).facts.names
    catalogue = log.handles.context.catalogue
    return any(match.finds_all_of_names(frozenset((name,)), catalogue) for name in names or ())


def _is_left_in_place(log: EventLog, value: Value, cause: Cause) -> bool:
    """Whether the payload of `value` is inside consumed operations that are rewritten around it."""
    names, consumed = log.handles.set_of(value).facts.names, log.handles.set_of(cause.consumed).facts.names
    if names is None or consumed is None or not names.isdisjoint(consumed):
        return False
    return not log.handles.names.are_structured(consumed)


def _successor(log: EventLog, operation: Operation, value: Value, cause: Cause) -> Value | None:
    """Return the valid handle that `operation` could take in place of `value`."""
    if log.handles.set_of(value) is not log.handles.set_of(cause.consumed):
        return None
    last, later = _last_successor(log, cause)
    if last is None or later is not None or last.type != value.type or not is_visible(last, operation):
        return None
    is_akin = log.handles.names.are_akin(log.handles.set_of(value).facts.names, log.handles.set_of(last).facts.names)
    return last if is_akin else None


def _last_successor(log: EventLog, cause: Cause) -> tuple[Value | None, Cause | None]:
    """Return the handle that replaces the consumed one, and the cause if that handle is invalid.

    Follows successors that were consumed themselves. Returns None unless each step has exactly one successor.
    """
    for _ in range(_MOST_SUCCESSORS):
        values = successors(cause.consumed, cause.consumer)
        if len(values) != 1:
            break
        later = log.handles.cause_of(values[0])
        if later is None or log.handles.set_of(later.consumed) is not log.handles.set_of(values[0]):
            return values[0], later
        cause = later
    return None, None
