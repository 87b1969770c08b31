"""Compares the modules that MLIR parsed with those that tdls parsed."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle.structure import IMPLIED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.structure import BlockShape, Definition, OperationShape


@dataclass(frozen=True)
class Difference:
    """One place where the two disagree: `where` is the path of operation names from the top."""

    kind: str
    where: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.kind} at {self.where}: MLIR has {self.expected}, tdls has {self.found}"


@dataclass
class Comparison:
    """The outcome for one module.

    `allowed` counts differences that follow from the text alone: operations and regions that
    MLIR adds, and operands in the order of the text where the form of the operation is not known.
    """

    differences: list[Difference] = field(default_factory=list)
    allowed: Counter[str] = field(default_factory=Counter)
    operations: int = 0


def compare(expected: OperationShape, found: Sequence[OperationShape]) -> Comparison:
    """Compare MLIR's module with tdls' top-level operations; an added `builtin.module` counts as not
    written.
    """
    comparison = _Comparer()
    implied = expected.place == IMPLIED
    top_level = expected.regions[0][0].operations if implied and expected.regions[0] else [expected]
    comparison.operations(top_level, found, "file")
    comparison.bindings()
    return comparison.outcome


def first_difference(expected: OperationShape, found: Sequence[OperationShape]) -> Difference | None:
    """Return the first difference in the order of the text, None where there is none."""
    return next(iter(compare(expected, found).differences), None)


class _Comparer:
    def __init__(self) -> None:
        self.outcome = Comparison()
        self.pairs: list[tuple[OperationShape, OperationShape, str]] = []
        self.owners: dict[tuple[str, int], int] = {}
        self.unordered: dict[int, str] = {}
        self.arguments: dict[Definition, Definition] = {}

    def report(self, kind: str, where: str, expected: object, found: object) -> None:
        self.outcome.differences.append(Difference(kind, where, str(expected), str(found)))

    def operations(self, expected: Sequence[OperationShape], found: Sequence[OperationShape], where: str) -> None:
        position = 0
        for shape in expected:
            candidate = found[position] if position < len(found) else None
            if shape.elidable and (candidate is None or candidate.name != shape.name):
                self.outcome.allowed["operation added by MLIR"] += 1
                continue
            if candidate is None:
                self.report("missing operation", where, shape.name, "nothing")
                return
            position += 1
            if candidate.name != shape.name:
                self.report("operation name", where, shape.name, candidate.name or "none")
                return
            self.operation(shape, candidate, f"{where} > {shape.name}")
        for extra in found[position:]:
            self.report("extra operation", where, "nothing", extra.name or "none")

    def operation(self, expected: OperationShape, found: OperationShape, where: str) -> None:
        self.outcome.operations += 1
        self.owners["result", expected.index] = found.index
        self.pairs.append((expected, found, where))
        if found.results == 0 and not found.named_results and expected.results:
            self.outcome.allowed["results without names or known types"] += 1
        elif found.results != expected.results:
            self.report("result count", where, expected.results, found.results)
        self._successors(expected, found, where)
        if expected.place and found.place and not expected.elidable:
            self._place(expected.place, found, where)
        self._regions(expected, found, where)

    def _successors(self, expected: OperationShape, found: OperationShape, where: str) -> None:
        if expected.successors == found.successors:
            return
        if not found.exact and sorted(expected.successors) == sorted(found.successors):
            self.outcome.allowed[f"successor order of {expected.name}"] += 1
            return
        self.report("successors", where, expected.successors, found.successors)

    def _place(self, expected: tuple[int, int], found: OperationShape, where: str) -> None:
        assert found.place is not None
        if expected != found.place and expected != (found.place[0], found.place[1] - 1):
            self.report("place", where, expected, found.place)

    def _regions(self, expected: OperationShape, found: OperationShape, where: str) -> None:
        wanted = list(expected.regions) if found.generic else self._written(expected, found)
        if len(wanted) != len(found.regions):
            self.report("region count", where, len(wanted), len(found.regions))
            return
        for mlir_region, tdls_region in zip(wanted, found.regions, strict=True):
            if not found.exact and mlir_region:
                self.unordered[mlir_region[0].index] = expected.name
            self._region(mlir_region, tdls_region, found.generic, where)

    def _written(self, expected: OperationShape, found: OperationShape) -> list[list[BlockShape]]:
        """Return the regions the text can have, in its order where that need not be MLIR's."""
        surplus = max(len(expected.regions) - len(found.regions), 0)
        silent = [number for number, region in enumerate(expected.regions) if _silent(region)]
        dropped = silent[len(silent) - surplus :] if surplus else []
        if dropped:
            self.outcome.allowed[f"unwritten region of {expected.name}"] += len(dropped)
        wanted = [region for number, region in enumerate(expected.regions) if number not in dropped]
        if found.exact:
            return wanted
        orders = (sorted(wanted, key=_first_place), wanted)
        fitting = (order for order in orders if all(map(_fits, order, found.regions)))
        return next(fitting, wanted)

    def _region(self, expected: list[BlockShape], found: list[BlockShape], generic: bool, where: str) -> None:
        if not generic and len(expected) != len(found) and _is_bare(expected) and _is_bare(found):
            self.outcome.allowed["empty block"] += 1
            return
        if len(expected) != len(found):
            self.report("block count", where, len(expected), len(found))
            return
        for number, (mlir_block, tdls_block) in enumerate(zip(expected, found, strict=True)):
            place = where if len(expected) == 1 else f"{where} ^{number}"
            self.owners["argument", mlir_block.index] = tdls_block.index
            if mlir_block.arguments != tdls_block.arguments:
                self.report("block arguments", place, mlir_block.arguments, tdls_block.arguments)
            self.operations(mlir_block.operations, tdls_block.operations, place)

    def bindings(self) -> None:
        """Compare operands once all operations and blocks are paired."""
        for expected, found, where in self.pairs:
            if expected.elidable and not found.operands:
                continue
            actual = [*found.operands, *found.successor_operands]
            self._learn_order(expected.operands, actual)
            wanted = [self._translated(definition) for definition in expected.operands]
            if wanted == actual or (found.exact and wanted == list(found.operands)):
                continue
            if found.exact:
                self.report("operands", where, wanted, actual)
            elif Counter(wanted) == Counter(actual):
                self.outcome.allowed[f"operand order of {expected.name}"] += 1
            elif set(wanted) == set(actual):
                self.outcome.allowed[f"operand repetition of {expected.name}"] += 1
            else:
                self.report("operands (structural)", where, wanted, actual)

    def _learn_order(self, expected: Sequence[Definition], actual: Sequence[Definition]) -> None:
        """Take down which written argument is which where the order in the text need not be MLIR's."""
        for mlir, tdls in zip(expected, actual, strict=False):
            if (mlir.kind, tdls.kind) != ("argument", "argument") or mlir.owner not in self.unordered:
                continue
            taken = {known.number for known in self.arguments.values() if known.owner == tdls.owner}
            same_block = self.owners.get(("argument", mlir.owner)) == tdls.owner
            if same_block and mlir not in self.arguments and tdls.number not in taken:
                self.arguments[mlir] = tdls
                if mlir.number != tdls.number:
                    self.outcome.allowed[f"argument order of {self.unordered[mlir.owner]}"] += 1

    def _translated(self, definition: Definition) -> Definition:
        if definition in self.arguments:
            return self.arguments[definition]
        kind = definition.kind
        owner = self.owners.get((kind, definition.owner), -1)
        return definition._replace(owner=owner)


def _first_place(region: list[BlockShape]) -> tuple[int, int]:
    """Return a key that sorts regions by where they stand in the text; those with nothing in it come last."""
    inside = (operation for block in region for operation in block.operations if not operation.elidable)
    places = (operation.place or operation.origin for operation in inside)
    return next((place for place in places if place), (sys.maxsize, 0))


def _fits(expected: list[BlockShape], found: list[BlockShape]) -> bool:
    """Say whether the two may be the same region, by the names of the operations."""
    if len(expected) != len(found):
        return _is_bare(expected) and _is_bare(found)
    names = [operation.name for block in found for operation in block.operations]
    inside = [operation for block in expected for operation in block.operations]
    written = [operation.name for operation in inside if not operation.elidable]
    return names in (written, [operation.name for operation in inside])


def _silent(region: list[BlockShape]) -> bool:
    return all(operation.elidable for block in region for operation in block.operations)


def _is_bare(region: list[BlockShape]) -> bool:
    """Say whether nothing of the region would be written: no block, or one without arguments and contents."""
    return not region or (len(region) == 1 and region[0].arguments == 0 and _silent(region))


__all__ = ["Comparison", "Difference", "compare", "first_difference"]
