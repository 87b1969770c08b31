"""The operations that scripts are made of: when each can be used, how it is spelled, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from oracle.handles.machine import OPERATION, Effect, Handle, Results, Statement

if TYPE_CHECKING:
    from random import Random

    from oracle.handles.machine import Machine
    from oracle.handles.payload import Node

Accepts = Callable[[Handle], bool]


class Maker(Protocol):
    """What forms need of the writer of a script."""

    random: Random
    machine: Machine
    root: Node

    def pick(self, accepts: Accepts, kind: str = OPERATION) -> Handle | None:
        """Return a handle, now and then a stale one; None where there is none that would do."""

    def new_name(self) -> str:
        """Return a name for a handle that is not in use."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a statement, chosen in proportion to `weight`; None where it cannot be written now."""

    make: Callable[[Maker], Statement | None]
    weight: float


def is_all(handle: Handle, accepts: Callable[[Node], bool]) -> bool:
    """Tell whether the handle stands for operations, and `accepts` likes them all."""
    return bool(handle.nodes) and all(map(accepts, handle.nodes))


def anything(handle: Handle) -> bool:
    """Accept what is not empty."""
    return bool(handle.nodes)


def is_structured(node: Node) -> bool:
    """Tell whether `node` is a structured operation."""
    return node.name.startswith("linalg.")


def result_types(maker: Maker, count: int, kind: str = OPERATION) -> tuple[list[str], list[str]]:
    """Return names and types for `count` results."""
    return [maker.new_name() for _ in range(count)], [kind] * count


def signature(operands: list[Handle], types: list[str]) -> str:
    """Return the functional type of operations from the types of `operands` and results."""
    return f"({', '.join(handle.type for handle in operands)}) -> {grouped(types)}"


def grouped(types: list[str]) -> str:
    """Return `types` as the right-hand side of a functional type."""
    return types[0] if len(types) == 1 else f"({', '.join(types)})"


def of_nodes(change: Callable[[Node], list[Node]], results: int) -> Effect:
    """Return the effect that applies `change` to each operation of operand 0 and gathers what it gives by result."""

    def effect(operands: list[Handle]) -> Results:
        gathered: list[list[Node]] = [[] for _ in range(results)]
        for node in list(operands[0].nodes):
            for number, new in enumerate(change(node)[:results]):
                gathered[number].append(new)
        return gathered

    return effect
