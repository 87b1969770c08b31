"""State of a run of a section's script on the written payload.

The contents of a handle are known exactly or not at all: `held` returns all operations of a handle in order, or None. A
known change by an operation is applied to the payload; an unknown one makes payload operations unsure and records
possible additions (`Introduced`), so that an operation reported as absent is absent in every case.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from operator import attrgetter
from typing import TYPE_CHECKING

from tdls.analysis.handles.changes import ChangeAnalysis
from tdls.analysis.handles.contents import exactly
from tdls.analysis.handles.shortfalls import KnownContents, Shortfall, ShortfallKind, Stopped
from tdls.payload.kinds import PayloadNames
from tdls.payload.loops import Loops
from tdls.payload.operations import PayloadOperation
from tdls.payload.tree import ANY_OPERATION, NOTHING, Introduced
from tdls.semantic.transform_dialect import is_transform_operation
from tdls.structs import NamedTuple, Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import NoReturn

    from tdls.analysis.file.context import Context
    from tdls.limits import Budget
    from tdls.payload.tree import Payload
    from tdls.semantic.model import Block, Operation, Value
    from tdls.syntax.tree import NamedAttribute

    Held = tuple[PayloadOperation, ...]

MOST_HELD = 64
"""Maximum number of operations in a handle to compare with each other."""


_Execution = tuple[int, ...]
"""The identities of an operation and, before it, of the calls that execute it."""


_SEARCHES = frozenset({ShortfallKind.EMPTY, ShortfallKind.UNMET})
"""Those that have to occur in each execution of an operation."""


class HeldInteger(NamedTuple):
    """An integer of a script parameter, with its spelled type."""

    value: int
    type: str


class Bound(NamedTuple):
    """What is known of a handle or a parameter."""

    operations: Held = ()
    is_all: bool = False
    """True if it holds no other operations."""
    values: tuple[Value, ...] | None = None
    """All payload values of a handle to values."""
    parameters: tuple[HeldInteger, ...] | None = None
    """All integers of a parameter."""


NOT_KNOWN = Bound()


def _is_there(operation: PayloadOperation) -> bool:
    return operation.is_sure and operation.replaced_by is None


class PayloadRun(Struct, eq=False, has_dict=True):
    """The state of a run on `payload`."""

    context: Context
    payload: Payload
    budget: Budget
    introduced: Introduced = NOTHING
    has_failed: bool = False
    """True if the operation to execute is known to fail, so that conditions of some versions tell why."""
    matching: int = 0
    """The depth of matchers, in which a failed search is not reported."""
    shortfalls: dict[_Execution, Shortfall] = field(default_factory=dict)
    """Failed searches by operation and calls around it."""
    stopped_at: Operation | None = None
    """The script operation at which the interpreter stops."""
    _inside: dict[PayloadOperation, dict[str, list[PayloadOperation]]] = field(default_factory=dict)
    """Memo of `inside` for the current structure of the payload."""
    _executions: Counter[_Execution] = field(default_factory=Counter)
    """The number of executions of each operation."""
    _in_vain: Counter[_Execution] = field(default_factory=Counter)
    """The number of those that found nothing."""
    _calls: list[Operation] = field(default_factory=list)
    """The current calls, outer ones first."""
    contents: dict[Value, KnownContents] = field(default_factory=dict)
    """The known contents of script results that are defined once."""
    _definitions: Counter[Value] = field(default_factory=Counter)
    """The number of definitions of each result of the script."""
    _emptied: Counter[Value] = field(default_factory=Counter)
    """The number of those with which it is empty."""
    _bound: dict[Value, Bound] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.changes = ChangeAnalysis(self.context, PayloadNames(self.context.catalogue), self.budget)

    # Handles

    def held(self, handle: Value | None) -> Held | None:
        """Return all operations of a handle, in order, or None if not known."""
        bound = self._bound.get(handle, NOT_KNOWN) if handle is not None else NOT_KNOWN
        return bound.operations if bound.is_all and all(map(_is_there, bound.operations)) else None

    def members(self, handle: Value | None) -> Held:
        """Return the known operations of a handle, in order; it may hold others, too."""
        bound = self._bound.get(handle, NOT_KNOWN) if handle is not None else NOT_KNOWN
        return tuple(filter(_is_there, bound.operations))

    def hold_some(self, handle: Value, operations: Iterable[PayloadOperation]) -> None:
        """Bind a handle to `operations` and possibly others."""
        self._bound[handle] = Bound(tuple(operations))

    def hold(self, handle: Value, operations: Iterable[PayloadOperation]) -> None:
        """Bind a handle to exactly `operations`."""
        self._bound[handle] = Bound(tuple(operations), is_all=True)

    def held_values(self, handle: Value | None) -> tuple[Value, ...] | None:
        """Return all payload values of a handle, or None if not known."""
        return self._bound.get(handle, NOT_KNOWN).values if handle is not None else None

    def hold_values(self, handle: Value, values: Iterable[Value]) -> None:
        """Bind a handle to payload `values`."""
        self._bound[handle] = Bound(values=tuple(values))

    def parameters(self, value: Value | None) -> tuple[HeldInteger, ...] | None:
        """Return all integers of a parameter, or None if not known."""
        return self._bound.get(value, NOT_KNOWN).parameters if value is not None else None

    def hold_parameters(self, value: Value, parameters: Iterable[HeldInteger]) -> None:
        """Bind a parameter to integers."""
        self._bound[value] = Bound(parameters=tuple(parameters))

    def forget(self, handle: Value) -> None:
        """Make the contents of a handle unknown."""
        self._bound.pop(handle, None)

    def pass_on(self, value: Value, to: Value) -> None:
        """Bind `to` to the known contents of `value`, a handle or parameter."""
        self._bound[to] = self._bound.get(value, NOT_KNOWN)

    def is_empty(self, handle: Value) -> bool:
        """Whether a handle is certainly empty."""
        bound = self._bound.get(handle, NOT_KNOWN)
        return (bound.is_all and not bound.operations) or bound.values == ()

    # The payload

    def inside(self, outer: PayloadOperation) -> Mapping[str, list[PayloadOperation]]:
        """Return `outer` and all operations in it by name, in post-order as MLIR walks."""
        known = self._inside.get(outer)
        if known is None:
            known = self._inside[outer] = {}
            for operation in outer.walk():
                self.budget.spend()
                known.setdefault(operation.name, []).append(operation)
        return known

    def is_as_written(self, written: Operation) -> bool:
        """Whether an operation of the written payload is there, as written."""
        known = self.payload.by_written.get(id(written))
        return known is not None and known.is_sure and known.is_as_written and known.replaced_by is None

    def loops(self, operation: PayloadOperation) -> Loops:
        """Return the loops of a structured operation."""
        return Loops(operation, self.context.catalogue, self.payload.aliases)

    def restructure(self) -> None:
        """Drop memos after operations of the payload were added, erased or moved."""
        self._inside.clear()

    def disturb(self, introduced: Introduced, within: Iterable[PayloadOperation] | None = None) -> None:
        """Record unknown changes in the operations `within`, or anywhere: operations in them become unsure."""
        if introduced == ANY_OPERATION:
            within = None
        for outer in (self.payload.root,) if within is None else within:
            for operation in outer.walk():
                self.budget.spend()
                operation.is_sure = operation is outer and within is not None and operation.is_sure
        self.introduced = self.introduced | introduced

    # Running

    def transfer(self, operation: Operation) -> None:
        """Execute an operation by its row, where its effect is known. Raises `Stopped` if it fails."""
        raise NotImplementedError

    def execute_script(self, script: Operation) -> None:
        """Execute a script on the root, until it fails."""
        block = script.body
        if block is not None and block.arguments:
            self.hold(block.arguments[0], (self.payload.root,))
            with suppress(Stopped):
                self.execute(block)

    def execute(self, block: Block) -> None:
        """Execute the operations of a block in turn."""
        for operation in block.operations:
            if is_transform_operation(operation):
                self.execute_one(operation)
                if not self.depth:
                    self._note_contents(operation)

    def execute_one(self, operation: Operation) -> None:
        """Execute an operation. Raises `Stopped` if it fails."""
        self.budget.spend()
        if not self.matching:
            self._executions[self._place(operation)] += 1
        for result in operation.results:
            self.forget(result)
        self.transfer(operation)

    def enter(self, block: Block, values: Sequence[Value | None]) -> None:
        """Bind the arguments of a block to the contents of `values`."""
        for argument in block.arguments:
            value = values[argument.index] if argument.index < len(values) else None
            if value is not None:
                self.pass_on(value, argument)
            else:
                self.forget(argument)

    def execute_body(self, operation: Operation, block: Block) -> None:
        """Execute a body once on the operands, and bind the results to what it yields. Raises `Stopped` if it fails."""
        self.enter(block, operation.operands)
        self.execute(block)
        for result, value in zip(operation.results, block.yielded, strict=False):
            if value is not None:
                self.pass_on(value, result)

    @property
    def depth(self) -> int:
        """The depth of calls and matchers."""
        return len(self._calls) + self.matching

    @property
    def calls(self) -> tuple[Operation, ...]:
        """The current calls, outer ones first."""
        return tuple(self._calls)

    def call(self, operation: Operation, block: Block) -> None:
        """Execute the body of the sequence that `operation` calls. Raises `Stopped` if that fails."""
        self._calls.append(operation)
        try:
            self.execute_body(operation, block)
        finally:
            self._calls.pop()

    def finds_nothing(self, shortfall: Shortfall) -> None:
        """Record that an operation finds nothing in this execution."""
        if not self.matching:
            place = self._place(shortfall.operation)
            self.shortfalls[place] = shortfall._replace(calls=self.calls)
            self._in_vain[place] += shortfall.kind in _SEARCHES

    def _place(self, operation: Operation) -> _Execution:
        return tuple(map(id, (*self._calls, operation)))

    def fail(self, shortfall: Shortfall) -> NoReturn:
        """Record that an operation fails, which ends the script. Raises `Stopped`."""
        if not self.matching:
            self.finds_nothing(shortfall)
            self.stopped_at = next(iter(self._calls), shortfall.operation)
        raise Stopped(shortfall._replace(calls=self.calls))

    def refuse(
        self, operation: Operation, message: str, help_text: str | None = None, place: NamedAttribute | None = None
    ) -> NoReturn:
        """Record that an operation refuses the payload, which ends the script. Raises `Stopped`."""
        self.fail(Shortfall(operation, ShortfallKind.FAILS, message, place, help_text))

    def rehearse(self, block: Block, call: Operation | None = None) -> Shortfall | None:
        """Execute a body, of the sequence that `call` runs if given; return the failure that ends it, if any.

        Its arguments are bound before. Searches in it that find nothing are not recorded.
        """
        calls = self._calls
        self._calls = calls if call is None else [*calls, call]
        self.matching += 1
        try:
            self.execute(block)
        except Stopped as stopped:
            return stopped.shortfall
        finally:
            self.matching -= 1
            self._calls = calls
        return None

    def fail_as_rehearsed(self, shortfall: Shortfall) -> NoReturn:
        """Record a failure that `rehearse` found. Raises `Stopped`."""
        own, self._calls = self._calls, list(shortfall.calls)
        try:
            self.fail(shortfall)
        finally:
            self._calls = own

    def found(self) -> list[Shortfall]:
        """Return the searches that failed in all executions, in script order."""
        return [
            shortfall
            for place, shortfall in self.shortfalls.items()
            if shortfall.kind not in _SEARCHES or self._in_vain[place] == self._executions[place]
        ]

    def always_empty(self) -> frozenset[Value]:
        """Return the script results that were empty at each of their definitions."""
        return frozenset(value for value, count in self._emptied.items() if count == self._definitions[value])

    def _note_contents(self, operation: Operation) -> None:
        for result in operation.results:
            self._definitions[result] += 1
            if self.is_empty(result):
                self._emptied[result] += 1
            members = self.members(result)
            if self._definitions[result] > 1:
                self.contents.pop(result, None)
            elif members and len(members) <= MOST_HELD:
                is_all = self.held(result) is not None
                listed = exactly(members, attrgetter("name"), PayloadOperation.ancestors) if is_all else None
                places = tuple(member.place for member in members if member.place is not None)
                self.contents[result] = KnownContents(listed, places, is_all and len(places) == len(members))
