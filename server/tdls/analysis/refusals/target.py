"""A target of a script operation, and the reason why it is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tdls.payload.operations import operands_of, type_of
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.analysis.file.context import Context
    from tdls.limits import Budget
    from tdls.payload.loops import Loops
    from tdls.payload.operations import PayloadOperation
    from tdls.payload.tree import Introduced, Payload
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import NamedAttribute


class Unmet(NamedTuple):
    """The reason why an operation finds nothing for one payload operation of its handle, or refuses it."""

    message: str
    help: str | None = None
    """The property that the payload operation has instead."""
    place: NamedAttribute | None = None
    """The attribute of the operation that asks for it."""
    nearness: float = 0.0
    """Degree to which the payload operation has the requested property: larger is nearer."""


class Known(Protocol):
    """What is known of a payload when an operation of a script is applied to it."""

    context: Context
    payload: Payload
    budget: Budget
    introduced: Introduced

    def held(self, handle: Value | None) -> tuple[PayloadOperation, ...] | None:
        """Return all operations of a handle, in order, or None if not known."""

    def loops(self, operation: PayloadOperation) -> Loops:
        """Return the loops of a structured operation."""

    def is_as_written(self, written: Operation) -> bool:
        """Whether an operation of the written payload is there, as written."""


class Target(NamedTuple):
    """A payload operation that an operation of a script is applied to."""

    run: Known
    operation: Operation
    payload: PayloadOperation

    @property
    def shown(self) -> str:
        """The name of the payload operation, for messages."""
        return self.payload.shown

    @property
    def loops(self) -> Loops:
        """The loops of a structured payload operation."""
        return self.run.loops(self.payload)

    @property
    def types(self) -> list[str]:
        """The types of its operands, "" for unknown ones."""
        return [type_of(value) or "" for value in operands_of(self.payload) or ()]

    @property
    def body(self) -> list[PayloadOperation] | None:
        """The operations in its body but the terminator, or None if they may be others."""
        children = self.payload.children
        if not all(child.is_added or (child.is_as_written and child.is_sure) for child in children):
            return None
        return [child for child in children if not child.name.endswith(".yield")]

    def users(self, value: Value) -> list[PayloadOperation] | None:
        """Return the operations that use a payload value, or None if they may be others."""
        users = []
        for each in self.run.payload.root.walk():
            self.run.budget.spend()
            if not each.is_added and not (each.is_as_written and each.is_sure):
                return None
            if each.written is not None and value in each.written.operands:
                users.append(each)
        return users


if TYPE_CHECKING:
    Refuses = Callable[[Target], Unmet | None]
    """Returns why an operation refuses a target, or None if it accepts it or may accept it."""
