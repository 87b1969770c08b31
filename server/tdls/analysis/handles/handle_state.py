"""The state of handles in a run without payload: the set of each handle, and the operation that invalidated it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.contents import NOTHING_SAID, UNKNOWN, Certainty, Contents
from tdls.analysis.handles.sets import Link, Nesting, PayloadSet
from tdls.catalogue.model import RelationKind
from tdls.payload.kinds import PayloadNames, names_of_type
from tdls.semantic.handle_types import HandleKind, allowed_kinds, kind_of
from tdls.structs import NamedTuple, Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.sets import Reach
    from tdls.catalogue.model import ResultDefinition
    from tdls.limits import Budget
    from tdls.semantic.model import Block, Operation, Value

_HELD = frozenset({RelationKind.SAME, RelationKind.PART_OF, RelationKind.WHOLE_OF})
"""The relations of results whose handles are of the kind of the operands."""
_LINK = 4
"""Budget cost of a link."""
_HANDLE = 8
"""Budget cost of invalidating a handle."""


class Cause(NamedTuple):
    """The cause of an invalid handle: `consumer` consumed its operand number `operand`, `consumed`.

    `reach` leads from the set of `consumed` to that of the handle; it is None if it is only possible.
    """

    consumer: Operation
    operand: int
    consumed: Value
    reach: Reach | None
    is_assumed: bool = False
    """True if the operand is consumed only if the operands are written in the order of the definition."""


class HandleState(Struct, has_dict=True):
    """The sets of handles, and the invalid handles with their causes, at one step of a run."""

    context: Context
    budget: Budget
    step: int = 0
    scope: int = 0
    """The number of the innermost region isolated from above: consumption in it leaves handles outside of it valid."""
    sets: dict[Value, PayloadSet] = field(default_factory=dict)
    scopes: dict[Value, int] = field(default_factory=dict)
    since: dict[Value, int] = field(default_factory=dict)
    """The step in which each handle was defined."""
    stale: dict[Value, Cause] = field(default_factory=dict)
    """Handles that are certainly invalid."""
    doubts: dict[Value, Cause] = field(default_factory=dict)
    """Possible causes of invalidity, from bodies that may not be executed."""
    _undo: list[tuple[Value, Cause | None]] = field(default_factory=list)
    """The previous entry of `stale` for each change, the last change at the end."""
    _kinds: dict[str, HandleKind | None] = field(default_factory=dict)
    """Handle kinds by type."""
    _kinds_of_groups: dict[tuple[Operation, str], HandleKind | None] = field(default_factory=dict)
    """Handle kinds of results without types, by their operation and the name of their group."""
    _last_scope: int = 0

    def __post_init__(self) -> None:
        self.names: PayloadNames = PayloadNames(self.context.catalogue)

    # Sets

    def nesting_of(self, names: frozenset[str] | None) -> Certainty:
        """Return whether operations with `names` may be nested in each other."""
        return Certainty.NEVER if self.names.are_flat(names) else Certainty.POSSIBLY

    def kind(self, value: Value) -> HandleKind | None:
        """Return the handle kind of `value` by its type, or else by its definition, or None if unknown."""
        if value.type is None:
            return self._kind_of_result(value)
        if value.type not in self._kinds:
            self._kinds[value.type] = kind_of(self.context.catalogue, value.type)
        return self._kinds[value.type]

    def _kind_of_result(self, value: Value) -> HandleKind | None:
        """Return the kind of a result without a type by its group, which is looked at once for all of its results."""
        maker, definition = value.operation, value.operation.definition if value.operation is not None else None
        if maker is None or definition is None or maker.syntax.result_groups is None:
            return None
        groups = maker.syntax.result_groups
        for result in definition.results:
            begin, end = groups.get(result.name, (0, 0))
            if begin <= value.index < end:
                key = maker, result.name
                if key not in self._kinds_of_groups:
                    self._kinds_of_groups[key] = None  # in damaged text a result may be its own operand
                    self._kinds_of_groups[key] = self._kind_of_group(maker, result)
                return self._kinds_of_groups[key]
        return None

    def _kind_of_group(self, maker: Operation, result: ResultDefinition) -> HandleKind | None:
        """Return the only kind that the definition of results allows, or the kind of the operands that they hold."""
        if result.type is not None:
            return kind_of(self.context.catalogue, result.type)
        allowed = allowed_kinds(result)
        if len(allowed) == 1:
            return next(iter(allowed))
        if result.relations and _HELD.issuperset(each.kind for each in result.relations):
            others = maker.group(result.relations[0].other) or maker.operands
            kinds = {self.kind(other) for other in others if other is not None}
            return kinds.pop() if len(kinds) == 1 else None
        return None

    def is_parameter(self, value: Value) -> bool:
        """Whether `value` is a parameter (a list of attributes), which is never invalid."""
        return self.kind(value) is HandleKind.PARAMETERS

    def new_set(self, value: Value, maker: Operation | None, facts: Contents = NOTHING_SAID) -> PayloadSet:
        """Bind `value` to a new set with `facts`."""
        return self.stand_for(value, PayloadSet(value, maker, self.step, facts))

    def stand_for(self, value: Value, payload: PayloadSet) -> PayloadSet:
        """Bind `value`, which is defined now, to the set `payload`."""
        self._make_valid(value)
        self.sets[value] = payload
        self.scopes[value] = self.scope
        self.since[value] = self.step
        payload.handles.append(value)
        return payload

    def enter(self, block: Block, payloads: Iterable[PayloadSet | None]) -> None:
        """Bind the arguments of a block to `payloads`; for None, to a new set of unknown origin."""
        for argument, payload in zip(block.arguments, payloads, strict=False):
            if payload is not None:
                self.stand_for(argument, payload)
            else:
                names = names_of_type(argument.type)
                self.new_set(argument, None, UNKNOWN._replace(names=names, nesting=self.nesting_of(names)))

    def link(
        self, inner: PayloadSet, outer: PayloadSet, nesting: Nesting, *, is_firm: bool = False, since: int | None = None
    ) -> None:
        """Record how `inner` relates to `outer`, unless they are the same set, since a step: this one by default."""
        self.budget.spend(_LINK)
        if inner is outer:
            return
        is_firm = is_firm or outer.facts.is_root or nesting is Nesting.PART
        link = Link(inner, outer, nesting, self.step if since is None else since, is_firm)
        inner.outer.append(link)
        outer.inner.append(link)

    def is_known(self, value: Value) -> bool:
        """Whether `value` is bound to a set."""
        return value in self.sets

    def set_of(self, value: Value) -> PayloadSet:
        """Return the payload set of `value`; an unbound value gets a new set with `UNKNOWN` facts."""
        known = self.sets.get(value)
        return known if known is not None else self.new_set(value, value.operation, UNKNOWN)

    def sets_of(self, values: Sequence[Value | None]) -> Iterator[PayloadSet]:
        """Yield the payload sets of those `values` that are handles."""
        return (self.set_of(value) for value in values if value is not None and not self.is_parameter(value))

    # Validity

    def cause_of(self, value: Value) -> Cause | None:
        """Return the cause by which `value` is certainly invalid now, or None."""
        return self.stale.get(value)

    def is_live(self, payload: PayloadSet) -> bool:
        """Whether a handle to `payload` is still valid."""
        stale = self.stale
        if payload.handles and payload.handles[-1] not in stale:
            return True
        self.budget.spend(len(payload.handles))
        for handle in reversed(payload.handles):  # noqa: SIM110 - called most often, and twice as fast
            if handle not in stale:
                return True
        return False

    def invalidate(self, causes: dict[Value, Cause]) -> None:
        """Mark handles as invalid, in place of former causes."""
        for value, cause in causes.items():
            self.budget.spend(_HANDLE)
            self._undo.append((value, self.stale.get(value)))
            self.stale[value] = cause

    def enter_scope(self) -> int:
        """Enter a region isolated from above; return the scope around it, to set `scope` to at its end."""
        outer = self.scope
        self._last_scope += 1
        self.scope = self._last_scope
        return outer

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
                self.stale.pop(value, None)
            else:
                self.stale[value] = cause

    def stale_since(self, before: int) -> Iterator[tuple[Value, Cause]]:
        """Yield, once each, the handles that became invalid since `snapshot` returned `before`, with the cause."""
        first: dict[Value, Cause | None] = {}
        for value, cause in self._undo[before:]:
            first.setdefault(value, cause)
        for value, cause in first.items():
            now = self.stale.get(value)
            if cause is None and now is not None:
                yield value, now

    def _make_valid(self, value: Value) -> None:
        cause = self.stale.pop(value, None)
        if cause is not None:
            self._undo.append((value, cause))
        self.doubts.pop(value, None)
