"""Reads the output of `mlir-opt --mlir-print-op-generic --mlir-print-debuginfo --mlir-print-local-scope`.

Made for that output alone, and on purpose unlike tdls' own parser: operations are found by line and bracket.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from oracle.structure import IMPLIED, BlockShape, Definition, OperationShape, Scope

PRINT_OPTIONS = ("--mlir-print-op-generic", "--mlir-print-debuginfo", "--mlir-print-local-scope")

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_HEAD = re.compile(r'\s*(?:(?P<results>%[^"=]*?) = )?"(?P<name>[^"]+)"\((?P<operands>[^)]*)\)')
_SUCCESSORS = re.compile(r"\[([^\]]*)\]")
_LABEL = re.compile(r"\s*(\^[\w$.-]+)(.*)$")
_ARGUMENT = re.compile(r"%[\w$.-]+(?=: )")
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]')
_LOCATION = re.compile(r'loc\("(?:<stdin>|-)":(\d+):(\d+)\)$')
_ORIGIN = re.compile(r'loc\("[^"]*":(\d+):(\d+)\)$')
_RESULT = re.compile(r"(%[\w$.-]+)(?::(\d+))?")


@dataclass
class _Pending:
    """An operation whose operands are resolved when all names of the regions around it are known."""

    shape: OperationShape
    names: list[str]
    labels: list[str]
    scope: Scope
    blocks: dict[str, int]


class _Reader:
    def __init__(self, text: str, first_line: int) -> None:
        self.lines = text.splitlines()
        self.row = 0
        self.first_line = first_line
        self.operations = 0
        self.blocks = 0
        self.pending: list[_Pending] = []

    def module(self) -> OperationShape:
        while not self.lines[self.row].strip():
            self.row += 1
        shape = self.operation(Scope(), {})
        for entry in self.pending:
            entry.shape.operands = tuple(entry.scope.resolve(name) for name in entry.names)
            entry.shape.successors = tuple(entry.blocks[label] for label in entry.labels)
        return shape

    def operation(self, scope: Scope, blocks: dict[str, int]) -> OperationShape:
        line = self.lines[self.row]
        head = _HEAD.match(line)
        if head is None:
            raise ValueError(f"not an operation in generic form: {line!r}")
        shape = OperationShape(self.operations, head["name"], 0)
        self.operations += 1
        for name, count in _RESULT.findall(head["results"] or ""):
            scope.define(name, "result", shape.index, shape.results, int(count or 1))
            shape.results += int(count or 1)
        position, labels = self._successors(line, head.end())
        self.pending.append(_Pending(shape, _names(head["operands"]), labels, scope, blocks))
        position = self._skip_properties(line, position)
        if line.startswith(" ({", position):
            self._regions(shape, scope)
        place = _LOCATION.search(self.lines[self.row])
        origin = _ORIGIN.search(self.lines[self.row])
        if origin and not place:
            shape.origin = (int(origin[1]), int(origin[2]))
        shape.unknown_location = self.lines[self.row].endswith("loc(unknown)")
        if place:
            row = int(place[1]) - 1 - self.first_line
            shape.place = (row, int(place[2])) if row >= 0 else IMPLIED
        self.row += 1
        return shape

    def _successors(self, line: str, position: int) -> tuple[int, list[str]]:
        match = _SUCCESSORS.match(line, position)
        if not match:
            return position, []
        return match.end(), [label.strip() for label in match[1].split(",")]

    def _skip_properties(self, line: str, position: int) -> int:
        if not line.startswith(" <{", position):
            return position
        depth = 0
        for match in _BRACKET.finditer(line, position):
            depth += {"{": 1, "}": -1}.get(match[0], 0)
            if depth == 0:
                return match.end() + 1
        raise ValueError(f"properties without end: {line!r}")

    def _regions(self, shape: OperationShape, outer: Scope) -> None:
        """Read the regions; at the end the current line is the one that closes the last."""
        more = True
        while more:
            self.row += 1
            shape.regions.append(self._region(Scope(outer)))
            more = self.lines[self.row].lstrip().startswith("}, {")

    def _region(self, scope: Scope) -> list[BlockShape]:
        region: list[BlockShape] = []
        labels: dict[str, int] = {}
        while not self.lines[self.row].lstrip().startswith("}"):
            line = self.lines[self.row]
            label = _LABEL.match(line)
            if label:
                labels[label[1]] = len(region)
                region.append(self._block(label[2], scope))
                self.row += 1
                continue
            if not region:
                region.append(self._block("", scope))
            region[-1].operations.append(self.operation(scope, labels))
        return region

    def _block(self, header: str, scope: Scope) -> BlockShape:
        names = _ARGUMENT.findall(_STRING.sub('""', header))
        shape = BlockShape(self.blocks, len(names))
        self.blocks += 1
        for number, name in enumerate(names):
            scope.define(name, "argument", shape.index, number)
        return shape


def read_generic(text: str, first_line: int = 0) -> OperationShape:
    """Return the shape of one module printed in generic form.

    Places of operations are given relative to `first_line`, the line on which the module began in the input.
    Operations that may be missing from the input because MLIR built them itself are marked `elidable`.
    Raises ValueError where the text is not such output.
    """
    return _Reader(text, first_line).module()


def _names(operands: str) -> list[str]:
    return [name.strip() for name in operands.split(",") if name.strip()]


def mark_elidable(shape: OperationShape, *, explicit_locations: bool) -> None:
    """Mark operations that MLIR may have built on its own, by their locations.

    Text without locations gives every operation the place of its name, so one with its parent's place or
    with no place was not written. In text with explicit locations, one with a place in the file itself was
    not, and one with an unknown place need not be.
    """
    inside = (inner for region in shape.regions for block in region for inner in block.operations)
    for inner in inside:
        written = inner.place is None if explicit_locations else inner.place not in (None, shape.place)
        unknown = explicit_locations and inner.unknown_location
        inner.elidable = shape.elidable or not written or unknown
        mark_elidable(inner, explicit_locations=explicit_locations)


__all__ = ["PRINT_OPTIONS", "Definition", "mark_elidable", "read_generic"]
