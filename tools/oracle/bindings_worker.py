"""Parses modules with MLIR's Python bindings and prints their shapes; a process of its own since MLIR may
crash.

Reads a JSON list of texts from standard input, prints one line of JSON for each: a shape, or null if
rejected. With the argument `complaints` each line is `true`, or a list of MLIR's errors for a text that it
rejects: a level, a message, and the place.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from torch_mlir import ir

from oracle.structure import BlockShape, Definition, OperationShape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Complaint = tuple[str, str, int, int]

_PLACE = re.compile(r'loc\("-":(\d+):(\d+)\)')
_BEGINNING = re.compile(r'loc\("-":(\d+):(\d+)')
_ORIGIN = re.compile(r'loc\("[^"]*":(\d+):(\d+)\)')


class _Walker:
    """Numbers operations and blocks in the order of the text, then resolves operands."""

    def __init__(self) -> None:
        self.operations = 0
        self.blocks = 0
        self.definitions: dict[Any, Definition] = {}
        self.pending: list[tuple[OperationShape, Any]] = []

    def module(self, operation: Any) -> OperationShape:
        shape = self.operation(operation, {})
        for pending, source in self.pending:
            pending.operands = tuple(self.definitions[value] for value in source.operands)
        return shape

    def operation(self, operation: Any, blocks: dict[Any, int]) -> OperationShape:
        shape = OperationShape(self.operations, operation.name, len(operation.results))
        self.operations += 1
        location = str(operation.location)
        place, origin = _PLACE.fullmatch(location), _ORIGIN.fullmatch(location)
        shape.place = (int(place[1]) - 1, int(place[2])) if place else None
        shape.origin = (int(origin[1]), int(origin[2])) if origin and not place else None
        shape.unknown_location = location == "loc(unknown)"
        for number, result in enumerate(operation.results):
            self.definitions[result] = Definition("result", shape.index, number)
        shape.successors = tuple(blocks[block] for block in operation.successors)
        self.pending.append((shape, operation))
        shape.regions = [self._region(region) for region in operation.regions]
        return shape

    def _region(self, region: Any) -> list[BlockShape]:
        numbers = {block: number for number, block in enumerate(region)}
        return [self._block(block, numbers) for block in region]

    def _block(self, block: Any, numbers: dict[Any, int]) -> BlockShape:
        shape = BlockShape(self.blocks, len(block.arguments))
        self.blocks += 1
        for number, argument in enumerate(block.arguments):
            self.definitions[argument] = Definition("argument", shape.index, number)
        shape.operations = [self.operation(inner.operation, numbers) for inner in block]
        return shape


def _shape(text: str) -> dict[str, Any] | None:
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        context.emit_error_diagnostics = True
        try:
            module = ir.Module.parse(text)
        except ir.MLIRError:
            return None
        return asdict(_Walker().module(module.operation))


def _complaints(texts: Iterable[str]) -> Iterator[Literal[True] | list[Complaint]]:
    """Yield the errors of each rejected text, True for others.

    One context has all dialects, which takes longest to make.
    """
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        yield from map(_complaints_of, texts)


def _complaints_of(text: str) -> Literal[True] | list[Complaint]:
    try:
        ir.Module.parse(text)
    except ir.MLIRError as error:
        return [complaint for said in error.error_diagnostics for complaint in _located(said)]
    return True


def _located(said: Any) -> Iterator[Complaint]:
    place = _BEGINNING.match(str(said.location))
    if place is not None:
        yield str(said.severity).rpartition(".")[2].lower(), said.message, int(place[1]) - 1, int(place[2])
    for note in said.notes:
        yield from _located(note)


def main() -> None:
    """Answer for every text, flushing each so that a crash loses one answer only."""
    texts = json.load(sys.stdin)
    for answer in _complaints(texts) if "complaints" in sys.argv else map(_shape, texts):
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
