"""Signatures of operations from the generated modules of MLIR's Python bindings, read without importing them.

They tell names and arities, not constraints of values, and no assembly formats.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.catalogue.model import (
    Arity,
    AttributeDefinition,
    AttributeSpelling,
    OperandDefinition,
    OperationDefinition,
    RegionDefinition,
    ResultDefinition,
    SuccessorDefinition,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ARITIES = {Arity.VARIADIC_OF_VARIADIC: Arity.VARIADIC}
"""What looks the same in the bindings."""

_FOREIGN_MODULES = ("_torch_ops_gen.py",)
"""Modules of the wheel's own dialects, which are not upstream."""


@dataclass(frozen=True)
class Signature:
    """What both the bindings and an ODS definition tell of an operation, with names that Python would mangle mended."""

    operands: tuple[tuple[str, Arity], ...]
    results: tuple[str, ...]
    attributes: frozenset[tuple[str, str, bool]]
    """Name, constraint (empty where it has no name), and whether the attribute must be given."""
    regions: tuple[tuple[str, bool], ...]
    successors: tuple[tuple[str, bool], ...]


def read_bindings(folder: Path) -> dict[str, OperationDefinition]:
    """Definitions by name from all generated modules of a ``dialects`` folder; their formats are not known."""
    definitions = {}
    for path in sorted(folder.glob("_*_ops_gen.py")):
        if path.name not in _FOREIGN_MODULES:
            for definition in _read_module(path):
                definitions[definition.name] = definition
    return definitions


def signature(definition: OperationDefinition) -> Signature:
    """The signature of a definition from any source."""
    return Signature(
        tuple((_mended(operand.name), _ARITIES.get(operand.arity, operand.arity)) for operand in definition.operands),
        tuple(_mended(result.name) for result in definition.results if result.name),
        frozenset(
            (attribute.name, _named(attribute.constraint), not attribute.optional and attribute.default is None)
            for attribute in definition.attributes
            if attribute.spelling is not AttributeSpelling.PROPERTY
        ),
        tuple((_mended(region.name), region.variadic) for region in definition.regions if region.name),
        tuple((_mended(successor.name), successor.variadic) for successor in definition.successors),
    )


def same_signature(one: Signature, other: Signature) -> bool:
    """Equality, where an attribute without a named constraint may be any."""
    names = {attribute[0] for attribute in one.attributes if not attribute[1]} | {
        attribute[0] for attribute in other.attributes if not attribute[1]
    }
    return (one.operands, one.results, one.regions, one.successors) == (
        other.operands,
        other.results,
        other.regions,
        other.successors,
    ) and _without_constraints(one, names) == _without_constraints(other, names)


def _without_constraints(one: Signature, names: set[str]) -> set[tuple[str, str, bool]]:
    return {(name, "" if name in names else constraint, given) for name, constraint, given in one.attributes}


def _mended(name: str) -> str:
    """The ODS name: bindings add an underscore to names that Python keeps, and number those without a name."""
    return "" if name.startswith("_gen_") else name.rstrip("_")


def _named(constraint: str) -> str:
    """The constraint, if it is the name of a definition and not an anonymous one."""
    return "" if "<" in constraint or constraint.startswith("anonymous") else constraint.rpartition(".")[2]


def _read_module(path: Path) -> Iterator[OperationDefinition]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and any("OpView" in ast.unparse(base) for base in node.bases):
            yield _read_class(node)


def _read_class(node: ast.ClassDef) -> OperationDefinition:
    name = ""
    segments: list[int] = []
    for statement in node.body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "OPERATION_NAME":
            name = ast.literal_eval(statement.value)
        elif isinstance(statement, ast.Assign) and "OPERAND_SEGMENTS" in ast.unparse(statement.targets[0]):
            segments = ast.literal_eval(statement.value)
    methods = [statement for statement in node.body if isinstance(statement, ast.FunctionDef)]
    constructor = next((method for method in methods if method.name == "__init__"), None)
    body = constructor.body if constructor else []
    return OperationDefinition(
        name=name,
        operands=tuple(_operands(body, segments)),
        results=tuple(_results(methods, body)),
        attributes=tuple(_attributes(body)),
        regions=tuple(_regions(methods)),
        successors=tuple(_successors(body)),
        traits=frozenset({"AttrSizedOperandSegments"} if segments else ()),
        format_known=False,
    )


def _operands(body: list[ast.stmt], segments: list[int]) -> Iterator[OperandDefinition]:
    by_segment = {1: Arity.ONE, 0: Arity.OPTIONAL, -1: Arity.VARIADIC}
    for number, (name, arity) in enumerate(_added(body, "operands")):
        yield OperandDefinition(name, arity=by_segment[segments[number]] if segments else arity)


def _results(methods: list[ast.FunctionDef], body: list[ast.stmt]) -> Iterator[ResultDefinition]:
    arities = dict(_added(body, "results"))
    for method in methods:
        returns = ast.unparse(method.returns) if method.returns else ""
        if "OpResult" in returns:
            default = Arity.VARIADIC if "OpResultList" in returns else Arity.ONE
            yield ResultDefinition(_mended(method.name), arity=arities.get(_mended(method.name), default))


def _added(body: list[ast.stmt], collection: str) -> Iterator[tuple[str, Arity]]:
    """Names that the constructor appends to a list, or extends it by."""
    for statement in body:
        optional = isinstance(statement, ast.If)
        calls = statement.body if isinstance(statement, ast.If) else [statement]
        for call in calls:
            if not isinstance(call, ast.Expr) or not isinstance(call.value, ast.Call):
                continue
            function = ast.unparse(call.value.func)
            name = _mended(_innermost_name(call.value.args[0])) if call.value.args else ""
            if function == f"{collection}.append":
                yield name, Arity.OPTIONAL if optional else Arity.ONE
            elif function == f"{collection}.extend":
                yield name, Arity.VARIADIC


def _innermost_name(expression: ast.expr) -> str:
    while isinstance(expression, ast.Call):
        expression = expression.args[0]
    return ast.unparse(expression)


def _attributes(body: list[ast.stmt]) -> Iterator[AttributeDefinition]:
    for statement in body:
        given = not isinstance(statement, ast.If)
        for assignment in statement.body if isinstance(statement, ast.If) else [statement]:
            if not isinstance(assignment, ast.Assign) or not isinstance(assignment.targets[0], ast.Subscript):
                continue
            target = assignment.targets[0]
            if ast.unparse(target.value) == "attributes":
                name = ast.literal_eval(target.slice)
                yield AttributeDefinition(name, _constraint(assignment.value), optional=not given)


def _constraint(value: ast.expr) -> str:
    for node in ast.walk(value):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("AttrBuilder.get"):
            return _named(ast.literal_eval(node.args[0]))
    return "UnitAttr" if "UnitAttr" in ast.unparse(value) else ""


def _regions(methods: list[ast.FunctionDef]) -> Iterator[RegionDefinition]:
    for method in methods:
        returned = method.body[-1]
        text = ast.unparse(returned)
        if text.startswith("return self.regions["):
            yield RegionDefinition(_mended(method.name), variadic=":" in text)


def _successors(body: list[ast.stmt]) -> Iterator[SuccessorDefinition]:
    for name, arity in _added(body, "_ods_successors"):
        yield SuccessorDefinition(name, arity is Arity.VARIADIC)
