"""The fields of a class that defines an operation, type or attribute in Python, by their annotations."""

from __future__ import annotations

import ast
from enum import Enum
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.catalogue.sources.python_modules.program import PythonClass, last_name, text_of, unaliased
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.sources.python_modules.program import PythonScope


class FieldKind(Enum):
    """The kind of a field."""

    OPERAND = "operand"
    RESULT = "result"
    REGION = "region"
    ATTRIBUTE = "attribute"


class PythonField(Struct, frozen=True):
    """A field. `constraint` is its type as it is written, `type` the only type allowed, if it is known."""

    name: str
    kind: FieldKind
    arity: Arity = Arity.ONE
    constraint: str = ""
    type: str | None = None


_KINDS = {
    "Operand": FieldKind.OPERAND,
    "Value": FieldKind.OPERAND,
    "Result": FieldKind.RESULT,
    "OpResult": FieldKind.RESULT,
    "Region": FieldKind.REGION,
}
_HANDLE_TYPES = {
    "AnyOpType": "!transform.any_op",
    "AnyValueType": "!transform.any_value",
    "AnyParamType": "!transform.any_param",
}


def fields_of(definition: PythonClass) -> Iterator[PythonField]:
    """Yield the fields of a class, those of its bases first."""
    return _fields(definition, set())


def _fields(definition: PythonClass, seen: set[int]) -> Iterator[PythonField]:
    """Yield the fields of a class and its bases, except for the classes in `seen`."""
    seen.add(id(definition))
    for base in definition.bases():
        if id(base) not in seen:
            yield from _fields(base, seen)
    for statement in definition.node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield _field(statement.target.id, _unquoted(statement.annotation), definition.body)


def _field(name: str, annotation: ast.expr, scope: PythonScope) -> PythonField:
    arity, inner = _stripped(unaliased(annotation, scope))
    inner = unaliased(inner, scope)
    kind = _KINDS.get(last_name(inner), FieldKind.ATTRIBUTE)
    if kind is FieldKind.ATTRIBUTE:
        return PythonField(name, kind, arity, last_name(inner))
    constraint = unaliased(inner.slice, scope) if isinstance(inner, ast.Subscript) else None
    written = ast.unparse(constraint) if constraint is not None else ""
    return PythonField(name, kind, arity, written, _HANDLE_TYPES.get(last_name(constraint)) if constraint else None)


def _stripped(annotation: ast.expr) -> tuple[Arity, ast.expr]:
    """Return the arity in an annotation, and the annotation inside."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        for side, other in ((annotation.left, annotation.right), (annotation.right, annotation.left)):
            if isinstance(other, ast.Constant) and other.value is None:
                return Arity.OPTIONAL, side
    if isinstance(annotation, ast.Subscript):
        wrapper = last_name(annotation.value)
        if wrapper == "Optional":
            return Arity.OPTIONAL, annotation.slice
        if wrapper in ("Sequence", "List", "list"):
            return Arity.VARIADIC, annotation.slice
    return Arity.ONE, annotation


def _unquoted(annotation: ast.expr) -> ast.expr:
    text = text_of(annotation)
    if text is None:
        return annotation
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return annotation
