"""The operations of scripts: their conditions, spellings and changes of the payload."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from oracle.handles.machine import (
    OPERATION,
    ConsumesAncestorError,
    DoesNotApplyError,
    Effect,
    Handle,
    Results,
    Statement,
)

if TYPE_CHECKING:
    from random import Random

    from oracle.handles.bodies import Body
    from oracle.handles.calls import Callee
    from oracle.handles.machine import Machine
    from oracle.handles.payload import Node

Accepts: TypeAlias = Callable[[Handle], bool]
Wants: TypeAlias = "Callable[[Node], bool]"
Change: TypeAlias = "Callable[[Node], Sequence[Node]]"
"""Changes the payload at an operation, and returns the new payload of results, one operation for each."""


class Maker(Protocol):
    """The interface of a script's writer that forms use."""

    random: Random
    machine: Machine
    is_in_alternatives: bool
    is_in_library: bool
    """True while a sequence is written that belongs to another file."""
    is_in_patterns: bool
    """True in ``transform.with_pdl_patterns``, which no other symbols are in reach of."""
    library: list[str]
    """The lines of other named sequences."""
    preloaded: list[str]
    """The lines of named sequences in another file, which is loaded before."""
    matchers: set[str]
    """The names of sequences that match."""
    actions: list[str]
    """The names of sequences that act on matched operations."""
    callees: list[Callee]
    """The sequences that are called."""

    def pick(self, accepts: Accepts, kind: str = OPERATION) -> Handle | None:
        """Return a handle, now and then a stale one; None where there is none that would do."""

    def body(
        self,
        given: Sequence[Handle],
        ends: int,
        *,
        is_isolated: bool = False,
        is_sequence: bool = False,
        begin: Statement | None = None,
    ) -> Body:
        """Write a block for arguments that stand for the same as `given`, and that gives `ends` handles away at most.

        It begins with `begin`, which takes the first argument. Nothing of it is executed for good.
        """

    def new_name(self) -> str:
        """Return a name for a handle that is not in use."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a statement, chosen in proportion to `weight`; None where it cannot be written now."""

    make: Callable[[Maker], Statement | None]
    weight: float


def is_all(handle: Handle, accepts: Callable[[Node], bool]) -> bool:
    """Whether the handle stands for operations, and `accepts` likes them all."""
    return bool(handle.nodes) and all(map(accepts, handle.nodes))


def anything(handle: Handle) -> bool:
    """Accept handles that are not empty."""
    return bool(handle.nodes)


def is_structured(node: Node) -> bool:
    """Whether `node` is a structured operation."""
    return node.name.startswith("linalg.") and node.name != "linalg.yield"


def operand_of(node: Node, number: int) -> Node | None:
    """Return the operation that defines operand `number` of `node`; None for block arguments or a missing operand."""
    return node.operands[number] if number < len(node.operands) else None


def only(handle: Handle) -> Node:
    """Return the one operation that `handle` stands for. Raises DoesNotApplyError."""
    if len(handle.nodes) != 1:
        raise DoesNotApplyError
    return handle.nodes[0]


def first(nodes: Iterable[Node]) -> Node:
    """Return the first of `nodes`. Raises DoesNotApplyError."""
    for node in nodes:
        return node
    raise DoesNotApplyError


def result_types(maker: Maker, count: int, kind: str = OPERATION) -> tuple[list[str], list[str]]:
    """Return names and types for `count` results."""
    return [maker.new_name() for _ in range(count)], [kind] * count


def signature(operands: list[Handle], types: list[str]) -> str:
    """Return the functional type of operations from the types of `operands` and results."""
    return f"({', '.join(handle.type for handle in operands)}) -> {grouped(types)}"


def grouped(types: list[str]) -> str:
    """Return `types` as the right-hand side of a functional type."""
    return types[0] if len(types) == 1 else f"({', '.join(types)})"


def ends(maker: Maker) -> int:
    """Return how many handles a block is to give away."""
    return maker.random.choice((0, 0, 1, 1, 2))


def mode(maker: Maker) -> str:
    """Return the spelling of the mode for silenceable failures."""
    return maker.random.choice(("propagate", "propagate", "suppress"))


def of_nodes(change: Change, results: int, wants: Wants) -> Effect:
    """Return the effect that applies `change` to each operation of operand 0 and gathers its return values by result.

    It does not apply to operations that `wants` does not accept.
    """

    def effect(operands: list[Handle]) -> Results:
        if not all(map(wants, operands[0].nodes)):
            raise DoesNotApplyError
        _check_order(operands[0].nodes)
        gathered: list[list[Node]] = [[] for _ in range(results)]
        for node in list(operands[0].nodes):
            for number, new in enumerate(change(node)[:results]):
                gathered[number].append(new)
        return gathered

    return effect


def _check_order(nodes: list[Node]) -> None:
    """Raise ConsumesAncestorError where one of `nodes` is nested in one before it."""
    for number, node in enumerate(nodes):
        if any(node.is_in(before) for before in nodes[:number]):
            raise ConsumesAncestorError
