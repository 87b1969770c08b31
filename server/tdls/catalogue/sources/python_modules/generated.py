"""Reads operations from the modules that mlir-tblgen generates for Python, ``_*_ops_gen.py``, without importing them.

These have names and arities, but no types of values, assembly formats or effects. See
mlir/tools/mlir-tblgen/OpPythonBindingGen.cpp.
"""

from __future__ import annotations

import ast
import re
import textwrap
from typing import TYPE_CHECKING

from tdls.catalogue.model import (
    Arity,
    AttributeDefinition,
    OperandDefinition,
    OperationDefinition,
    RegionDefinition,
    ResultDefinition,
    SourcePlace,
    SuccessorDefinition,
)
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_CLASS = re.compile(r"^class \w+\([^\r\n]*\bOpView\):\r?\n(?:[ \t][^\n]*\n?|\r?\n)*", re.MULTILINE)
_SETTER = re.compile(r"^  @\w+\.(?:setter|deleter)\n(?:    [^\n]*\n?|  def [^\n]*\n|\n)*", re.MULTILINE)
_DOCUMENTATION = re.compile(r'\A[^\n]*\n\s*r?"""\n?(?P<text>(?:(?!""").)*)"""', re.DOTALL)
_NAME = re.compile(r'^  OPERATION_NAME = "(?P<name>[\w.$-]+)"', re.MULTILINE)
_LINK_INSIDE_SITE = re.compile(r"\[(?P<text>[^\[\]\n]+)\]\((?:\.{0,2}/|#)[^()\s]*\)")
"""A Markdown link that is valid only on MLIR's own site."""
_BY_SEGMENT = {1: Arity.ONE, 0: Arity.OPTIONAL, -1: Arity.VARIADIC}


class GeneratedClass(NamedTuple):
    """The text of one operation's class. `line` is 0-based."""

    name: str
    line: int
    text: str

    @property
    def description(self) -> str:
        """The operation's documentation as Markdown, "" without one."""
        match = _DOCUMENTATION.match(self.text)
        return _LINK_INSIDE_SITE.sub(r"\g<text>", textwrap.dedent(match["text"]).strip()) if match else ""


def generated_classes(text: str) -> Iterator[GeneratedClass]:
    """Yield the classes of operations in a generated module, found by its layout.

    Adaptors and builder functions, which are most of the module, are skipped.
    """
    line = position = 0
    for match in _CLASS.finditer(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        name = _NAME.search(match[0])
        if name is not None:
            yield GeneratedClass(name["name"], line, match[0])


def generated_operation(path: Path, generated: GeneratedClass) -> OperationDefinition | None:
    """Return the definition of a generated class, or None if it does not have the generated form."""
    try:
        (node,) = ast.parse(_SETTER.sub("", generated.text)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(node, ast.ClassDef):
        return None
    operand_segments, result_segments = (
        _segments(node, "_ODS_OPERAND_SEGMENTS"),
        _segments(node, "_ODS_RESULT_SEGMENTS"),
    )
    methods = [statement for statement in node.body if isinstance(statement, ast.FunctionDef)]
    body = next((method.body for method in methods if method.name == "__init__"), [])
    sized = {"AttrSizedOperandSegments": operand_segments, "AttrSizedResultSegments": result_segments}
    return OperationDefinition(
        name=generated.name,
        operands=tuple(
            OperandDefinition(name, arity=_by_segment(operand_segments, number, arity))
            for number, (name, arity) in enumerate(_added(body, "operands"))
        ),
        results=tuple(_results(methods, body, result_segments)),
        attributes=tuple(_attributes(body)),
        regions=tuple(_regions(methods)),
        successors=tuple(
            SuccessorDefinition(name, arity is Arity.VARIADIC) for name, arity in _added(body, "_ods_successors")
        ),
        traits=frozenset(trait for trait, segments in sized.items() if segments),
        format_known=False,
        description=generated.description,
        defined_at=SourcePlace(path, generated.line),
    )


def _segments(node: ast.ClassDef, name: str) -> list[int]:
    """Return the list of numbers that is assigned to a name; empty without one."""
    for statement in node.body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == name:
            value = _literal(statement.value)
            return value if isinstance(value, list) and set(value) <= set(_BY_SEGMENT) else []
    return []


def _results(methods: list[ast.FunctionDef], body: list[ast.stmt], segments: list[int]) -> Iterator[ResultDefinition]:
    arities = dict(_added(body, "results"))
    accessors = [method for method in methods if _returns_results(method)]
    for number, method in enumerate(accessors):
        name = mended(method.name)
        seen = Arity.VARIADIC if "OpResultList" in _annotation(method) else Arity.ONE
        yield ResultDefinition(name, arity=_by_segment(segments, number, arities.get(name, seen)))


def _returns_results(method: ast.FunctionDef) -> bool:
    annotation = _annotation(method)
    return "OpResult" in annotation or (not annotation and "self.operation.results" in ast.unparse(method))


def _annotation(method: ast.FunctionDef) -> str:
    return ast.unparse(method.returns) if method.returns else ""


def _by_segment(segments: list[int], number: int, otherwise: Arity) -> Arity:
    return _BY_SEGMENT[segments[number]] if number < len(segments) else otherwise


def _added(body: list[ast.stmt], collection: str) -> Iterator[tuple[str, Arity]]:
    """Yield the names that the constructor appends to a list or extends it with, and their arities."""
    for statement in body:
        optional = isinstance(statement, ast.If)
        for call in statement.body if isinstance(statement, ast.If) else [statement]:
            if not isinstance(call, ast.Expr) or not isinstance(call.value, ast.Call) or not call.value.args:
                continue
            function = ast.unparse(call.value.func)
            name = mended(_innermost_name(call.value.args[0]))
            if function == f"{collection}.append":
                yield name, Arity.OPTIONAL if optional else Arity.ONE
            elif function == f"{collection}.extend":
                yield name, Arity.VARIADIC


def _innermost_name(expression: ast.expr) -> str:
    while isinstance(expression, ast.Call) and expression.args:
        expression = expression.args[0]
    return ast.unparse(expression)


def _attributes(body: list[ast.stmt]) -> Iterator[AttributeDefinition]:
    for statement in body:
        given = not isinstance(statement, ast.If)
        for assignment in statement.body if isinstance(statement, ast.If) else [statement]:
            if not isinstance(assignment, ast.Assign) or not isinstance(assignment.targets[0], ast.Subscript):
                continue
            target = assignment.targets[0]
            name = _literal(target.slice)
            if ast.unparse(target.value) == "attributes" and isinstance(name, str):
                yield AttributeDefinition(name, _constraint(assignment.value), optional=not given)


def _constraint(value: ast.expr) -> str:
    for node in ast.walk(value):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("AttrBuilder.get") and node.args:
            return named_constraint(str(_literal(node.args[0])))
    return "UnitAttr" if "UnitAttr" in ast.unparse(value) else ""


def named_constraint(constraint: str) -> str:
    """Return the constraint if it is the name of a definition, "" for an anonymous one."""
    return "" if "<" in constraint or constraint.startswith("anonymous") else constraint.rpartition(".")[2]


def _regions(methods: list[ast.FunctionDef]) -> Iterator[RegionDefinition]:
    for method in methods:
        text = ast.unparse(method.body[-1])
        if text.startswith("return self.regions["):
            yield RegionDefinition(mended(method.name), variadic=":" in text)


def mended(name: str) -> str:
    """Return the ODS name: bindings add an underscore to reserved names of Python, and number values without a name."""
    return "" if name.startswith("_gen_") else name.rstrip("_")


def _literal(expression: ast.expr) -> object:
    try:
        return ast.literal_eval(expression)
    except ValueError:
        return None
