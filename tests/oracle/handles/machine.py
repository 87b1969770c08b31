"""What the generator believes a script does: which operations its handles stand for, and which are invalidated.

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
PARAMETER = "!transform.any_param"


class Item(NamedTuple):
    """A value of the payload: result `number` of an operation, or argument `number` of its block."""

    node: Node
    number: int
    is_argument: bool = False


@dataclass(eq=False)
class Handle:
    """What a name of the script stands for: `nodes` of the payload, or `items` for a value."""

    name: str
    type: str
    nodes: list[Node] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    is_stale: bool = False

    @property
    def is_value(self) -> bool:
        """Tell whether it stands for values."""
        return self.type == VALUE

    @property
    def is_operation(self) -> bool:
        """Tell whether it stands for operations."""
        return not self.is_value and "param" not in self.type

    def touched(self) -> Iterator[Node]:
        """Yield the operations it has to do with: those of values are what defines them."""
        yield from self.nodes
        yield from (item.node for item in self.items)

    def touches(self, root: Node) -> bool:
        """Tell whether it has to do with something in `root`."""
        return any(node.is_in(root) for node in self.touched())


Results: TypeAlias = "Sequence[Sequence[Node] | Sequence[Item]]"
"""What the results of an operation stand for."""
Effect: TypeAlias = "Callable[[list[Handle]], Results]"
"""Changes the payload, given what the operands stand for, and returns what the results stand for."""


@dataclass
class Scope:
    """The names of one block; nothing is seen through an `is_isolated` one."""

    is_isolated: bool = False
    handles: dict[str, Handle] = field(default_factory=dict)


@dataclass(eq=False)
class Statement:
    """An operation of the script: names of operands, results with types, and what it does.

    `text` has ``{0}`` where operand 0 is; lines behind the first belong to its regions. `effect` changes the payload
    and returns what the results stand for; None for those that only read.
    """

    text: str
    operands: list[str]
    consumes: tuple[int, ...] = ()
    results: list[str] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    effect: Effect | None = None
    allows_overlap: bool = False
    body: Callable[[Machine, list[Handle]], None] | None = None
    """Carries out what is in its regions, once more each time."""

    def lines(self) -> list[str]:
        """Return the lines of its text."""
        given = f"{', '.join(self.results)} = " if self.results else ""
        return (given + self.text.format(*self.operands)).split("\n")


class Machine:
    """The state of a script while it is executed."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = []
        self.has_failed = False

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
        if not self.has_failed:
            self._check(statement, operands)
        if not self.has_failed:
            if statement.body is not None:
                statement.body(self, operands)
            if statement.effect is not None:
                results = statement.effect(operands)
        for number, (name, type_) in enumerate(zip(statement.results, statement.types, strict=True)):
            found = results[number] if number < len(results) else []
            self._bind(name, type_, found)

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
        for number, handle in enumerate(operands):
            if handle.is_stale or (handle in newly and not statement.allows_overlap):
                self.has_failed = True
                return
            if number in statement.consumes:
                if _is_repeated(handle) and not statement.allows_overlap:
                    self.has_failed = True
                    return
                newly += self.invalidated_by(handle)
        for handle in newly:
            handle.is_stale = True

    def invalidated_by(self, consumed: Handle) -> list[Handle]:
        """Return the handles that are invalidated where `consumed` is consumed."""
        roots = list(consumed.touched())
        nested = (handle for handle in self.visible() if any(map(handle.touches, roots)))
        return [consumed, *(handle for handle in nested if handle is not consumed)]


def _is_repeated(handle: Handle) -> bool:
    entries = handle.items or handle.nodes
    return len({id(entry) if not isinstance(entry, Item) else entry for entry in entries}) < len(entries)
