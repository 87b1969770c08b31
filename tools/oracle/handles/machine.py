"""The generator's model of a script's run: the payload operations of its handles, and the invalidated ones.

It need not be right, the interpreter has the last word; the better it is, the more scripts fail for the reason that is
wanted, and for that one only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from oracle.handles.payload import Node

OPERATION = "!transform.any_op"
VALUE = "!transform.any_value"
PARAMETER = "!transform.param<i64>"


class Item(NamedTuple):
    """A value of the payload: result `number` of an operation, or argument `number` of its block."""

    node: Node
    number: int
    is_argument: bool = False


@dataclass(eq=False)
class Handle:
    """A value of the script with its payload: `nodes` for a handle to operations, `items` for a handle to values."""

    name: str
    type: str
    nodes: list[Node] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    is_stale: bool = False
    is_consumed: bool = False
    """True if it was consumed itself."""

    @property
    def is_value(self) -> bool:
        """Whether it stands for values."""
        return self.type == VALUE

    @property
    def is_dangling(self) -> bool:
        """Whether it stands for something that is gone, though nothing has invalidated it."""
        return any(node.is_gone for node in self.touched())

    @property
    def is_operation(self) -> bool:
        """Whether it stands for operations."""
        return not self.is_value and "param" not in self.type

    def touched(self) -> Iterator[Node]:
        """Yield its operations; for values, the operations that define them."""
        yield from self.nodes
        yield from (item.node for item in self.items)

    def touches(self, root: Node) -> bool:
        """Whether it has to do with something in `root`."""
        return any(node.is_in(root) for node in self.touched())

    def roots(self) -> Iterator[Node]:
        """Yield the operations that go if it is consumed: all operations of the block of an argument."""
        yield from self.nodes
        for item in self.items:
            yield from item.node.children if item.is_argument else (item.node,)


Results: TypeAlias = "Sequence[Sequence[Node] | Sequence[Item]]"
"""The payload of each result of an operation."""
Effect: TypeAlias = "Callable[[list[Handle]], Results]"
"""Changes the payload, given the handles of the operands, and returns the payload of the results."""


@dataclass
class Scope:
    """The names of one block; nothing is seen through an `is_isolated` one."""

    is_isolated: bool = False
    is_sequence: bool = False
    """True for the block of a ``transform.sequence``: no use may consume a handle defined there twice by name."""
    handles: dict[str, Handle] = field(default_factory=dict)


@dataclass(eq=False)
class Statement:
    """An operation of the script: names of operands, results with types, and its effect.

    `text` has ``{0}`` where operand 0 is; the lines `inside` follow it. `effect` is None for those that only read and
    have no results that stand for something.
    """

    text: str
    operands: list[str]
    consumes: tuple[int, ...] = ()
    results: list[str] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    effect: Effect | None = None
    allows_overlap: bool = False
    inside: list[str] = field(default_factory=list)
    nested: list[Statement] = field(default_factory=list)

    @property
    def is_involved(self) -> bool:
        """Whether it executes other statements."""
        return bool(self.nested) or self.text.startswith("transform.include")

    def lines(self) -> list[str]:
        """Return the lines of its text."""
        given = f"{', '.join(self.results)} = " if self.results else ""
        return [*(given + self.text.format(*self.operands)).split("\n"), *self.inside]

    def consumed(self) -> set[str]:
        """Return the names of the handles that it consumes itself, or something in it."""
        own = {self.operands[number] for number in self.consumes}
        return own.union(*(statement.consumed() for statement in self.nested))


class DoesNotApplyError(Exception):
    """An operation cannot be applied to the payload of its operands."""


class ConsumesAncestorError(Exception):
    """An operation consumes a handle with an operation in front of one that is nested in it."""


class Machine:
    """The state of a script while it is executed."""

    def __init__(self, payload: Node) -> None:
        self.payload = payload
        self.scopes: list[Scope] = []
        self.has_failed = False
        self.has_misfired = False
        """True once something did not apply."""

    def visible(self) -> list[Handle]:
        """Return the handles that can be named, inner ones last."""
        found: list[Handle] = []
        for scope in reversed(self.scopes):
            found = [*scope.handles.values(), *found]
            if scope.is_isolated:
                break
        return found

    def handle(self, name: str) -> Handle:
        """Return the handle called `name`."""
        return next(handle for handle in self.visible() if handle.name == name)

    def define(self, handle: Handle) -> Handle:
        """Make `handle` known in the innermost block."""
        self.scopes[-1].handles[handle.name] = handle
        return handle

    def execute(self, statement: Statement) -> None:
        """Execute `statement`. Once a stale handle was used, results are empty and nothing happens any more."""
        operands = [self.handle(name) for name in statement.operands]
        results: Results = []
        self._note_consumed(statement)
        if not self.has_failed:
            self._check(statement, operands)
        if not self.has_failed and not any(handle.is_dangling for handle in operands):
            results = self._results(statement, operands)
        for number, (name, type_) in enumerate(zip(statement.results, statement.types, strict=True)):
            found = results[number] if number < len(results) else []
            self._bind(name, type_, found)

    def _note_consumed(self, statement: Statement) -> None:
        for name in statement.consumed() & {handle.name for handle in self.visible()}:
            handle = self.handle(name)
            self.has_misfired = self.has_misfired or (handle.is_consumed and self._is_of_sequence(handle))
            handle.is_consumed = True

    def _results(self, statement: Statement, operands: list[Handle]) -> Results:
        try:
            return statement.effect(operands) if statement.effect is not None else []
        except DoesNotApplyError:
            self.has_failed = self.has_misfired = True
        except ConsumesAncestorError:
            self.has_failed = True
        return []

    def give_away(self, names: Sequence[str]) -> Results:
        """Return the payload that a terminator with these handles yields."""
        handles = [self.handle(name) for name in names]
        self.has_failed = self.has_failed or any(handle.is_stale for handle in handles)
        return [handle.items or handle.nodes for handle in handles]

    def _bind(self, name: str, type_: str, found: Sequence[Node] | Sequence[Item]) -> None:
        handle = Handle(name, type_)
        if handle.is_value:
            handle.items = [each for each in found if isinstance(each, Item)]
        else:
            handle.nodes = [each for each in found if not isinstance(each, Item)]
        self.define(handle)

    def _check(self, statement: Statement, operands: list[Handle]) -> None:
        """Look at the operands from left to right, as the interpreter does."""
        newly: list[Handle] = []
        consumed = {statement.operands[number] for number in statement.consumes}
        for number, handle in enumerate(operands):
            if handle.is_stale or (handle in newly and not statement.allows_overlap):
                self.has_failed = True
                return
            if statement.operands[number] in consumed:
                if _is_repeated(handle) and not statement.allows_overlap:
                    self.has_failed = True
                    return
                newly += self.invalidated_by(handle)
        for handle in newly:
            handle.is_stale = True

    def _is_of_sequence(self, handle: Handle) -> bool:
        return any(scope.is_sequence and handle.name in scope.handles for scope in self.scopes)

    def invalidated_by(self, consumed: Handle) -> list[Handle]:
        """Return the handles that are invalidated where `consumed` is consumed."""
        roots, values = list(consumed.roots()), set(consumed.items)
        nested = (
            handle
            for handle in self.visible()
            if any(map(handle.touches, roots)) or not values.isdisjoint(handle.items)
        )
        return [consumed, *(handle for handle in nested if handle is not consumed)]


def _is_repeated(handle: Handle) -> bool:
    entries = handle.items or handle.nodes
    return len({id(entry) if not isinstance(entry, Item) else entry for entry in entries}) < len(entries)
