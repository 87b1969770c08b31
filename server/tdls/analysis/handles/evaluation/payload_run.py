"""Runs the script of a section on the payload that is written beside it.

What handles hold is known exactly or not at all: `held` returns all operations of a handle in order, or None. Where it
is known how an operation changes the payload, the payload is changed; where not, operations are no longer sure and
others may have come (`Introduced`), so that what is said to be absent is absent whatever happened.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.handles.evaluation.operations import ANYTHING, NOTHING, Introduced
from tdls.analysis.handles.payload.lattice import (
    Certainty,
    Multiplicity,
    Repetition,
    certainly,
    count_of,
    repetition_in,
)
from tdls.analysis.handles.payload.names import names_of_type
from tdls.semantic.transform_dialect import is_transform_operation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import NoReturn

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.evaluation.inline_payload import Payload
    from tdls.analysis.handles.evaluation.operations import PayloadOperation
    from tdls.limits import Budget
    from tdls.semantic.model import Block, Operation, Value
    from tdls.syntax.tree import NamedAttribute

    Held = tuple[PayloadOperation, ...]

MOST_HELD = 64
"""Of handles that hold more operations it is not asked how these lie to each other."""


class Listed(NamedTuple):
    """What is true of a list of operations that are all known."""

    names: frozenset[str]
    multiplicity: Multiplicity
    repetition: Repetition
    nesting: Certainty
    outer_first: Certainty


class Relative(NamedTuple):
    """How what a new handle holds lies to what an `other` one holds, which was defined before."""

    other: Value
    is_inner: bool
    """True if the operations of the new handle are those of the other one, or are in them; else the other way round."""
    is_nested: bool
    """True if they are nested in them, and not the same."""
    is_all: bool
    """True if that is so of all inner operations, and not of some only."""


class KnownContents(NamedTuple):
    """What a handle holds when it is defined: something, at least."""

    listed: Listed | None
    """What is true of its operations; None if it may hold others than those that are known."""
    relatives: tuple[Relative, ...]


def listed_facts(held: Sequence[PayloadOperation]) -> Listed:
    """Return what is true of operations, in the order in which a handle holds them."""
    different = set(held)
    before: set[PayloadOperation] = set()
    is_nested = is_outer_first = False
    for operation in held:
        around = set(operation.ancestors())
        is_nested = is_nested or not around.isdisjoint(different)
        is_outer_first = is_outer_first or not around.isdisjoint(before)
        before.add(operation)
    return Listed(
        frozenset(operation.name for operation in different),
        count_of(len(held), len(different)),
        repetition_in(held),
        certainly(is_nested),
        certainly(is_outer_first),
    )


class Lying:
    """The operations that a handle holds, with what is around them."""

    def __init__(self, held: Sequence[PayloadOperation]) -> None:
        self.held = frozenset(held)
        self.is_nested_in = {operation: frozenset(operation.ancestors()) for operation in self.held}

    def to(self, handle: Value, others: frozenset[PayloadOperation]) -> Relative | None:
        """Return how they lie to those that another `handle` holds; None if they have nothing to do with each other."""
        common = self.held & others
        if common:
            is_inner = len(common) == len(self.held)
            return Relative(handle, is_inner, False, is_inner or len(common) == len(others))
        nested = sum(not around.isdisjoint(others) for around in self.is_nested_in.values())
        return Relative(handle, True, True, nested == len(self.held)) if nested else None

    def around(self, handle: Value, others: frozenset[PayloadOperation]) -> Relative | None:
        """Return how they lie to those of another `handle` that are nested in them; None if none is."""
        nested = sum(any(outer in self.held for outer in operation.ancestors()) for operation in others)
        return Relative(handle, False, True, nested == len(others)) if nested else None


_Place = tuple[int, ...]
"""The identities of an operation and, before it, of the calls that execute it."""
_MOST_RELATIVES = 32
"""With how many handles that were defined before a new one is compared."""


class ShortfallKind(Enum):
    """What comes of it that nothing is there."""

    EMPTY = "empty"
    """The result is an empty handle, and the script goes on."""
    UNMET = "unmet"
    """So it is, and the operation says what is done then."""
    FAILS = "fails"
    """The operation fails."""
    COUNT = "count"
    """It fails since there is another number than it takes."""


class Shortfall(NamedTuple):
    """An operation of a script that does not find what it looks for."""

    operation: Operation
    kind: ShortfallKind
    message: str
    attribute: NamedAttribute | None = None
    """What asks for what is not there."""
    help: str | None = None
    cause: Operation | None = None
    """The operation of the script that took it away, or makes it later."""
    is_of_content: bool = False
    """True if not the kind of payload operation is what is wrong, but what it is made of."""
    calls: tuple[Operation, ...] = ()
    """The calls that execute the operation, outer ones first; () where it is in the script itself."""


class Stopped(Exception):  # noqa: N818 - no error: the script ends here
    """The interpreter goes no further, since an operation fails."""

    def __init__(self, shortfall: Shortfall) -> None:
        super().__init__(shortfall.message)
        self.shortfall = shortfall


class HeldInteger(NamedTuple):
    """An integer that a parameter of a script holds."""

    value: int
    type: str


@dataclass(eq=False)
class PayloadRun:
    """The state of a run on `payload`. `transfer` says what single operations do."""

    context: Context
    payload: Payload
    budget: Budget
    transfer: Callable[[PayloadRun, Operation], None]
    introduced: Introduced = NOTHING
    matching: int = 0
    """How many matchers deep the run is, in which to find nothing is nothing to report."""
    shortfalls: dict[_Place, Shortfall] = field(default_factory=dict)
    """What was not found, by where it is executed, in each of these executions."""
    stopped_at: Operation | None = None
    """The operation in the script at which the interpreter stops."""
    _inside: dict[PayloadOperation, dict[str, list[PayloadOperation]]] = field(default_factory=dict)
    """What `inside` returned since the payload had another structure."""
    _found: set[_Place] = field(default_factory=set)
    """Where operations are executed that may have found something in one of these executions."""
    _calls: list[Operation] = field(default_factory=list)
    """The calls that the run is in, outer ones first."""
    contents: dict[Value, KnownContents | None] = field(default_factory=dict)
    """What results of the script hold when they are defined, as far as it is known; None if they are defined again."""
    _defined: set[Value] = field(default_factory=set)
    """The results of the script that were defined at least once, whatever is known of them."""
    _empty: set[Value] = field(default_factory=set)
    _not_empty: set[Value] = field(default_factory=set)
    _held: dict[Value, Held] = field(default_factory=dict)
    _some: dict[Value, Held] = field(default_factory=dict)
    """Operations that handles hold of which it is not known whether they hold others."""
    _values: dict[Value, tuple[Value, ...]] = field(default_factory=dict)
    _parameters: dict[Value, tuple[HeldInteger, ...]] = field(default_factory=dict)

    # Handles

    def held(self, handle: Value | None) -> Held | None:
        """Return all operations that a handle holds, in order; None if they are not known."""
        known = self._held.get(handle) if handle is not None else None
        if known is None or all(operation.is_sure and operation.replaced_by is None for operation in known):
            return known
        return None

    def members(self, handle: Value | None) -> Held:
        """Return operations that a handle certainly holds, in order: all that are known of it."""
        held = self.held(handle)
        if held is not None or handle is None:
            return held or ()
        some = self._some.get(handle, ())
        return tuple(operation for operation in some if operation.is_sure and operation.replaced_by is None)

    def hold_some(self, handle: Value, operations: Iterable[PayloadOperation]) -> None:
        """Let a handle hold `operations`, and perhaps others."""
        self._some[handle] = tuple(operations)

    def hold(self, handle: Value, operations: Iterable[PayloadOperation]) -> None:
        """Let a handle hold `operations`."""
        self._held[handle] = tuple(operations)

    def forget(self, handle: Value) -> None:
        """Let it be unknown what a handle holds."""
        self._held.pop(handle, None)
        self._some.pop(handle, None)
        self._values.pop(handle, None)
        self._parameters.pop(handle, None)

    def held_values(self, handle: Value | None) -> tuple[Value, ...] | None:
        """Return all values that a handle holds; None if they are not known."""
        return self._values.get(handle) if handle is not None else None

    def hold_values(self, handle: Value, values: Iterable[Value]) -> None:
        """Let a handle hold `values` of the payload."""
        self._values[handle] = tuple(values)

    def parameters(self, value: Value | None) -> tuple[HeldInteger, ...] | None:
        """Return all integers that a parameter holds; None if they are not known."""
        return self._parameters.get(value) if value is not None else None

    def hold_parameters(self, value: Value, parameters: Iterable[HeldInteger]) -> None:
        """Let a parameter hold integers."""
        self._parameters[value] = tuple(parameters)

    def pass_on(self, value: Value, to: Value) -> None:
        """Let a handle, or a parameter, hold what another one holds."""
        if value is to:
            return
        self.forget(to)
        held, values, parameters = self._held.get(value), self._values.get(value), self._parameters.get(value)
        if held is not None:
            self._held[to] = held
        if value in self._some:
            self._some[to] = self._some[value]
        if values is not None:
            self._values[to] = values
        if parameters is not None:
            self._parameters[to] = parameters

    def is_empty(self, handle: Value) -> bool:
        """Tell whether a handle certainly holds nothing."""
        return self._held.get(handle) == () or self._values.get(handle) == ()

    # The payload

    def inside(self, outer: PayloadOperation) -> Mapping[str, list[PayloadOperation]]:
        """Return all operations in one, and itself, by their names, in the order in which MLIR walks."""
        known = self._inside.get(outer)
        if known is None:
            known = self._inside[outer] = {}
            for operation in outer.walk():
                self.budget.spend()
                known.setdefault(operation.name, []).append(operation)
        return known

    def restructure(self) -> None:
        """Note that operations of the payload come, or go, or move."""
        self._inside.clear()

    def disturb(self, introduced: Introduced, within: Iterable[PayloadOperation] | None = None) -> None:
        """Let what is in some operations, or anywhere, be changed in ways that are not known."""
        if introduced == ANYTHING:
            within = None
        for outer in (self.payload.root,) if within is None else within:
            for operation in outer.walk():
                self.budget.spend()
                operation.is_sure = operation is outer and within is not None and operation.is_sure
        self.introduced = self.introduced | introduced

    # Running

    def execute(self, block: Block) -> None:
        """Execute the operations of a block in turn."""
        for operation in block.operations:
            if is_transform_operation(operation):
                self.budget.spend()
                for result in operation.results:
                    self.forget(result)
                self.transfer(self, operation)
                self._check_types(operation)
                if not self.depth:
                    self._note_emptiness(operation)
                    self._note_contents(operation)

    def enter(self, block: Block, values: Sequence[Value | None]) -> None:
        """Let the arguments of a block hold what `values` hold."""
        for argument in block.arguments:
            value = values[argument.index] if argument.index < len(values) else None
            if value is not None:
                self.pass_on(value, argument)
            else:
                self.forget(argument)

    @property
    def depth(self) -> int:
        """How many bodies deep the run is that are not in the script itself."""
        return len(self._calls) + self.matching

    def call(self, operation: Operation, block: Block) -> None:
        """Execute the body of the sequence that `operation` calls. Raises `Stopped` where that fails."""
        self.enter(block, operation.operands)
        self._calls.append(operation)
        try:
            self.execute(block)
        finally:
            self._calls.pop()

    def finds_nothing(self, shortfall: Shortfall) -> None:
        """Note that an operation finds nothing this time."""
        if not self.matching:
            self.shortfalls[self._place(shortfall.operation)] = shortfall._replace(calls=tuple(self._calls))

    def may_find(self, operation: Operation) -> None:
        """Note that an operation may find something this time."""
        if not self.matching:
            self._found.add(self._place(operation))

    def _place(self, operation: Operation) -> _Place:
        return tuple(map(id, (*self._calls, operation)))

    def fail(self, shortfall: Shortfall) -> NoReturn:
        """Note that an operation fails, which ends the script. Raises `Stopped`."""
        if not self.matching:
            self.finds_nothing(shortfall)
            self._found.discard(self._place(shortfall.operation))
            self.stopped_at = next(iter(self._calls), shortfall.operation)
        raise Stopped(shortfall)

    def found(self) -> list[Shortfall]:
        """Return what certainly went wrong, in the order of the script."""
        return [shortfall for place, shortfall in self.shortfalls.items() if place not in self._found]

    def always_empty(self) -> frozenset[Value]:
        """Return the results of the script that held nothing whenever they were defined."""
        return frozenset(self._empty - self._not_empty)

    def _note_emptiness(self, operation: Operation) -> None:
        for result in operation.results:
            (self._empty if self.is_empty(result) else self._not_empty).add(result)

    def _note_contents(self, operation: Operation) -> None:
        for result in operation.results:
            if result in self._defined:
                if result in self.contents:
                    self.contents[result] = None
                continue
            self._defined.add(result)
            members = self.members(result)
            if members and len(members) <= MOST_HELD:
                listed = listed_facts(members) if self.held(result) is not None else None
                self.contents[result] = KnownContents(listed, tuple(self._relatives(members)))

    def _relatives(self, members: Held) -> Iterator[Relative]:
        """Yield how `members` lie to what handles hold that were defined before."""
        lying = Lying(members)
        for other in islice(reversed(self.contents), _MOST_RELATIVES):
            others = frozenset(self.members(other)) if self.contents[other] is not None else frozenset()
            self.budget.spend(1 + len(others))
            if others:
                known = lying.to(other, others), lying.around(other, others)
                yield from (relative for relative in known if relative is not None)

    def _check_types(self, operation: Operation) -> None:
        """A type that asks for a name makes an operation fail that finds another one."""
        for result in operation.results:
            names, held = names_of_type(result.type), self.held(result)
            wrong = next((payload for payload in held or () if names is not None and payload.name not in names), None)
            if wrong is not None and names is not None:
                wanted = next(iter(names))
                message = f"the type of `{result.shown}` asks for `{wanted}`, but {wrong.shown} is found"
                self.fail(Shortfall(operation, ShortfallKind.FAILS, message))
