"""Fields of Python-defined operations, types and attributes: annotations of ``mlir.dialects.ext``.

``a: Operand[T]`` is an operand, ``Sequence[...]`` makes it variadic and ``Optional[...]`` optional; ``Result[T]`` and
``Region`` likewise; every other annotation is an attribute.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.catalogue.sources.python_modules.classes import last_name, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.sources.python_modules.classes import PythonClass


class FieldKind(Enum):
    """What a field is of."""

    OPERAND = "operand"
    RESULT = "result"
    REGION = "region"
    ATTRIBUTE = "attribute"


@dataclass(frozen=True, slots=True)
class PythonField:
    """A field. `constraint` is its type as it is written; `type` the only type allowed, where it is known."""

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
    """The fields of a class, those of its bases in the same file first."""
    return _fields(definition, set())


def _fields(definition: PythonClass, seen: set[int]) -> Iterator[PythonField]:
    """The fields of a class and its bases, but for those of the classes in `seen`."""
    seen.add(id(definition))
    for base in definition.bases():
        if id(base) not in seen:
            yield from _fields(base, seen)
    for statement in definition.node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield _field(statement.target.id, _unquoted(statement.annotation))


def _field(name: str, annotation: ast.expr) -> PythonField:
    arity, inner = _stripped(annotation)
    kind = _KINDS.get(last_name(inner), FieldKind.ATTRIBUTE)
    if kind is FieldKind.ATTRIBUTE:
        return PythonField(name, kind, arity, last_name(inner))
    constraint = inner.slice if isinstance(inner, ast.Subscript) else None
    written = ast.unparse(constraint) if constraint is not None else ""
    return PythonField(name, kind, arity, written, _HANDLE_TYPES.get(last_name(constraint)) if constraint else None)


def _stripped(annotation: ast.expr) -> tuple[Arity, ast.expr]:
    """The arity that an annotation says, and what is inside."""
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
