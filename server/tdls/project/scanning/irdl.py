"""Read dialects defined in IRDL, MLIR's dialect definition dialect: ``irdl.dialect`` in ``.irdl`` and ``.mlir`` files.

See mlir/include/mlir/Dialect/IRDL/IR/IRDLOps.td for the operations, and mlir/lib/Dialect/IRDL/IRDLLoading.cpp for how
MLIR loads them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import (
    Arity,
    AttributeDefinition,
    AttributeKindDefinition,
    HandleEffect,
    OperandDefinition,
    OperationDefinition,
    ParameterDefinition,
    RegionDefinition,
    ResultDefinition,
    SourcePlace,
    TypeDefinition,
)
from tdls.catalogue.source import assembly_format_of
from tdls.catalogue.sources.work import SourceProblem
from tdls.structs import Struct
from tdls.syntax.parser.parser import parse
from tdls.text.positions import LineIndex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tdls.syntax.tree import Operation, Tree

_ARITIES = {"single": Arity.ONE, "optional": Arity.OPTIONAL, "variadic": Arity.VARIADIC}
_NAME = re.compile(r'"[^"]*"|[\w$.]+')
_ARITY = re.compile("|".join(_ARITIES))
_ANY = "any"
_JOINED = {"irdl.any_of": " | ", "irdl.all_of": " & "}
_LONGEST_CONSTRAINT = 200


class IrdlDefinitions(Struct, frozen=True):
    """The definitions in one file, and the problems with reading them."""

    path: Path
    operations: tuple[OperationDefinition, ...] = ()
    types: tuple[TypeDefinition, ...] = ()
    attributes: tuple[AttributeKindDefinition, ...] = ()
    problems: tuple[SourceProblem, ...] = ()


def read_irdl(path: Path, text: str) -> IrdlDefinitions:
    """Return the definitions of a file, empty for a file without ``irdl.dialect``. Never raises."""
    tree = parse(text, _catalogue())
    dialects = [
        operation for operation in tree.walk() if operation.name == "irdl.dialect" and operation.symbol_name is not None
    ]
    reader = _IrdlReader(path, tree, LineIndex(text))
    members = [
        (f"{dialect.symbol_name}.{member.symbol_name}", member)
        for dialect in dialects
        for member in _body(dialect)
        if member.symbol_name is not None
    ]
    return IrdlDefinitions(
        path,
        tuple(reader.operation(name, operation) for name, operation in members if operation.name == "irdl.operation"),
        tuple(reader.type(name, operation) for name, operation in members if operation.name == "irdl.type"),
        tuple(
            reader.attribute_kind(name, operation) for name, operation in members if operation.name == "irdl.attribute"
        ),
        tuple(reader.problems()) if dialects else (),
    )


class _ListEntry(NamedTuple):
    """One entry of ``irdl.operands(name: optional %value)``, ``irdl.results`` and similar lists."""

    name: str
    arity: Arity
    value: str


class _IrdlReader:
    def __init__(self, path: Path, tree: Tree, lines: LineIndex) -> None:
        self._path = path
        self._tree = tree
        self._lines = lines

    def operation(self, name: str, definition: Operation) -> OperationDefinition:
        """The operation that an ``irdl.operation`` defines; it has no custom assembly format."""
        constraints = _Constraints(definition)
        operands = _values(definition, "irdl.operands", "operand")
        results = _values(definition, "irdl.results", "result")
        attributes = _values(definition, "irdl.attributes", "attribute", names="attributeValueNames")
        regions = _values(definition, "irdl.regions", "region")
        sized = {"AttrSizedOperandSegments": operands, "AttrSizedResultSegments": results}
        return OperationDefinition(
            name,
            tuple(OperandDefinition(operand.name, *constraints.of_value(operand)) for operand in operands),
            tuple(ResultDefinition(result.name, *constraints.of_value(result)) for result in results),
            tuple(AttributeDefinition(attribute.name, constraints.text(attribute.value)) for attribute in attributes),
            tuple(RegionDefinition(region.name) for region in regions),
            traits=frozenset(trait for trait, values in sized.items() if _needs_sizes(values)),
            defined_at=self._place(definition),
        )

    def type(self, name: str, definition: Operation) -> TypeDefinition:
        """The type that an ``irdl.type`` defines."""
        parameters = _parameters(definition)
        return TypeDefinition(name, parameters, assembly_format_of(parameters), defined_at=self._place(definition))

    def attribute_kind(self, name: str, definition: Operation) -> AttributeKindDefinition:
        """The attribute that an ``irdl.attribute`` defines."""
        parameters = _parameters(definition)
        format_ = assembly_format_of(parameters)
        return AttributeKindDefinition(name, parameters, format_, defined_at=self._place(definition))

    def problems(self) -> Iterator[SourceProblem]:
        """The syntax errors of the file."""
        for problem in self._tree.problems():
            line = self._lines.position(problem.start).line
            yield SourceProblem(self._path, line, f"{problem.message}; what stands there is left out")

    def _place(self, definition: Operation) -> SourcePlace:
        start = (definition.symbol_span or definition).start
        position = self._lines.position(start)
        return SourcePlace(self._path, position.line, position.column)


class _Constraints:
    """The constraints that the SSA values in a definition's body stand for, as display text or as a single type."""

    def __init__(self, definition: Operation) -> None:
        self._texts: dict[tuple[str, int], str] = {}
        self._made = {group.name: operation for operation in _body(definition) for group in operation.results}

    def of_value(self, value: _ListEntry) -> tuple[str, Arity, HandleEffect, str | None]:
        """The fields that follow the name in an operand or result definition."""
        return self.text(value.value), value.arity, HandleEffect.UNKNOWN, self.only_type(value.value)

    def text(self, value: str, depth: int = 8) -> str:
        """The display text of a constraint: ``i32 | i64``, ``!cmath.complex``, "any"."""
        key = value, depth
        if key not in self._texts:
            self._texts[key] = self._text(value, depth)
        return self._texts[key]

    def _text(self, value: str, depth: int) -> str:
        maker = self._made.get(value)
        if maker is None or depth == 0:
            return ""
        if maker.name in _JOINED:
            parts = [self.text(operand.name, depth - 1) for operand in maker.operands]
            return _JOINED[maker.name].join(parts)[:_LONGEST_CONSTRAINT]
        return _ANY if maker.name == "irdl.any" else self._named(maker)

    def only_type(self, value: str) -> str | None:
        """The type that ``irdl.is`` requires, as written."""
        maker = self._made.get(value)
        return self._named(maker) or None if maker is not None and maker.name == "irdl.is" else None

    def _named(self, maker: Operation) -> str:
        """The type or attribute that ``irdl.is``, ``irdl.base`` and ``irdl.parametric`` refer to."""
        for path in (symbol.path for symbol in maker.symbols):
            return f"!{'.'.join(path)}"
        for name in ("expected", "base_name", "pred"):
            spelled = maker.attribute(name)
            if spelled is not None and spelled.value is not None:
                return spelled.value.strip('"')
        return ""


@lru_cache
def _catalogue() -> Catalogue:
    return Catalogue.shipped()


def _body(definition: Operation) -> Iterator[Operation]:
    for region in definition.regions:
        for block in region.blocks:
            yield from block.operations


def _parameters(definition: Operation) -> tuple[ParameterDefinition, ...]:
    constraints = _Constraints(definition)
    values = _values(definition, "irdl.parameters", "parameter")
    return tuple(ParameterDefinition(value.name, constraints.text(value.value)) for value in values)


def _values(definition: Operation, list_name: str, otherwise: str, names: str = "names") -> list[_ListEntry]:
    """The entries of one list in a definition's body.

    LLVM 19 has no names in these lists: they are made of `otherwise` and a number.
    """
    spelled = next((operation for operation in _body(definition) if operation.name == list_name), None)
    if spelled is None:
        return []
    known = [text.strip('"') for text in _texts(spelled, names, _NAME)]
    arities = [_ARITIES.get(text, Arity.ONE) for text in _texts(spelled, "variadicity", _ARITY)]
    return [
        _ListEntry(
            known[number] if number < len(known) else f"{otherwise}{number}",
            arities[number] if number < len(arities) else Arity.ONE,
            use.name,
        )
        for number, use in enumerate(spelled.operands)
    ]


def _texts(operation: Operation, attribute: str, entry: re.Pattern[str]) -> list[str]:
    """The values of the attributes with one name, one for each entry; the generic form has one array attribute."""
    found = [spelled.value or "" for spelled in operation.attributes if spelled.name == attribute]
    if len(found) == 1 and found[0].startswith(("[", "#")):
        return entry.findall(found[0].partition("[")[2])
    return found


def _needs_sizes(values: list[_ListEntry]) -> bool:
    return sum(value.arity is not Arity.ONE for value in values) > 1
