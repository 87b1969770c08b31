"""The shape of a module as plain data, whether tdls or MLIR parsed it, and the comparison of two shapes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

IMPLIED = (-1, 0)
"""The place of the module that MLIR puts around a file that is not one module."""


class Definition(NamedTuple):
    """A value: result `number` of the operation `owner`, or argument `number` of the block `owner`.

    `owner` counts operations or blocks of the module in the order of the text; it is -1 for a name that
    nothing defines.
    """

    kind: str
    owner: int
    number: int


@dataclass
class BlockShape:
    """A block: the number of its arguments, and its operations."""

    index: int
    arguments: int
    operations: list[OperationShape] = field(default_factory=list)


@dataclass
class OperationShape:
    """An operation. `successors` are the numbers of blocks in the region around it.

    `elidable` says that MLIR built it (or may have built it) without it being in the text: implicit
    terminators, regions of named operations. `place` is the line (0-based) and column (1-based, bytes) of
    the name in the text, where known, `origin` the place that an explicit location names. `exact` is false
    where the operands are in the order of the text rather than MLIR's; `generic` is true for the generic
    form. `named_results` is false where the text gives the results no names. In custom forms values passed
    to successors may be apart, as `successor_operands`.
    """

    index: int
    name: str
    results: int
    operands: tuple[Definition, ...] = ()
    successors: tuple[int, ...] = ()
    regions: list[list[BlockShape]] = field(default_factory=list)
    place: tuple[int, int] | None = None
    origin: tuple[int, int] | None = None
    elidable: bool = False
    unknown_location: bool = False
    exact: bool = True
    generic: bool = False
    named_results: bool = True
    successor_operands: tuple[Definition, ...] = ()


class Scope:
    """Names of values in the regions around a place; a use sees every definition of its own and outer
    regions.
    """

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.names: dict[str, tuple[str, int, int]] = {}

    def define(self, name: str, kind: str, owner: int, first: int, count: int = 1) -> None:
        """Record `name` (or ``name#0`` ... for a pack of `count`) as values `first`... of `owner`."""
        self.names[name] = (kind, owner, first)
        for offset in range(count):
            self.names[f"{name}#{offset}"] = (kind, owner, first + offset)

    def resolve(self, name: str) -> Definition:
        """Return the value of `name`."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return Definition(*scope.names[name])
            scope = scope.parent
        return Definition("undefined", -1, 0)
