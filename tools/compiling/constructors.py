"""Constructors of dataclasses, which are compiled as such.

What `dataclasses` writes at run time is never compiled: each object would be made by the interpreter, from a tuple and
a dictionary of arguments. Written out, it is a few instructions. It stands in the blank line behind the last field, so
that all others keep their numbers.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_IGNORED = "  # type: ignore"
"""Nothing may be assigned to fields of a frozen class, but by the constructor that mypy does not see written."""


class _Field(NamedTuple):
    """A parameter as it is declared, and what the field is set to."""

    parameter: str
    value: str
    name: str


class _Constructor(NamedTuple):
    """The number of the line, from 0, and what is to stand there."""

    line: int
    code: str


def dataclass_names(code: str) -> frozenset[str]:
    """Return the names of the dataclasses that are the outermost classes of a module."""
    classes = [node for node in ast.parse(code).body if isinstance(node, ast.ClassDef)]
    return frozenset(class_.name for class_ in classes if _is_dataclass(class_))


def with_constructors(code: str, dataclasses: Collection[str]) -> str:
    """Return the code of a module in which dataclasses have their constructors; its lines stay where they are.

    `dataclasses` are the names of all there are anywhere: one that inherits from one of another module stays as it is.
    """
    module = ast.parse(code)
    classes = {class_.name: class_ for class_ in module.body if isinstance(class_, ast.ClassDef)}
    lines = code.split("\n")
    for constructor in [_constructor(class_, classes, dataclasses) for class_ in classes.values()]:
        if constructor is not None and not lines[constructor.line]:
            lines[constructor.line] = constructor.code
    return "\n".join(lines)


def _constructor(
    class_: ast.ClassDef, classes: dict[str, ast.ClassDef], dataclasses: Collection[str]
) -> _Constructor | None:
    """Return the constructor of a class that has none; None if it is no dataclass, or not a simple one."""
    if not _is_dataclass(class_) or {"__init__", "__post_init__"} & _method_names(class_):
        return None
    own = _annotated(class_)
    inherited = _inherited(class_, classes, dataclasses)
    if not own or inherited is None:
        return None
    fields = [_field(field) for field in (*inherited, *own)]
    parameters = ", ".join(["self", *(field.parameter for field in fields)])
    assignments = "; ".join(f"self.{field.name} = {field.value}" for field in fields)
    code = f"    def __init__({parameters}) -> None: {assignments}{_IGNORED}"
    return _Constructor(_line_behind(class_, own[-1]), code)


def _inherited(
    class_: ast.ClassDef, classes: dict[str, ast.ClassDef], dataclasses: Collection[str]
) -> list[ast.AnnAssign] | None:
    """Return the fields of superclasses; None if they are declared in another module."""
    fields: list[ast.AnnAssign] = []
    for base in class_.bases:
        name = ast.unparse(base)
        if name in classes:
            above = _inherited(classes[name], classes, dataclasses)
            if above is None:
                return None
            fields += [*above, *_annotated(classes[name])]
        elif name in dataclasses:
            return None
    return fields


def _field(field: ast.AnnAssign) -> _Field:
    name, type_ = ast.unparse(field.target), ast.unparse(field.annotation)
    if field.value is None:
        return _Field(f"{name}: {type_}", name, name)
    factory = _factory(field.value)
    if factory is None:
        return _Field(f"{name}: {type_} = {ast.unparse(field.value)}", name, name)
    return _Field(f"{name}: {type_} | None = None", f"{factory}() if {name} is None else {name}", name)


def _factory(value: ast.expr) -> str | None:
    """Return what makes the value of a field that is declared by ``field(default_factory=...)``."""
    if not isinstance(value, ast.Call) or ast.unparse(value.func) != "field":
        return None
    return next(ast.unparse(keyword.value) for keyword in value.keywords if keyword.arg == "default_factory")


def _line_behind(class_: ast.ClassDef, field: ast.AnnAssign) -> int:
    """Return the number of the line, from 0, behind a field and what is said of it."""
    behind = class_.body[class_.body.index(field) + 1 :]
    is_described = bool(behind) and isinstance(behind[0], ast.Expr)
    last = behind[0] if is_described else field
    return last.end_lineno or last.lineno


def _annotated(class_: ast.ClassDef) -> list[ast.AnnAssign]:
    """Return the fields that a dataclass declares itself."""
    return [
        statement
        for statement in class_.body
        if isinstance(statement, ast.AnnAssign) and not ast.unparse(statement.annotation).startswith("ClassVar")
    ]


def _method_names(class_: ast.ClassDef) -> set[str]:
    return {statement.name for statement in class_.body if isinstance(statement, ast.FunctionDef)}


def _is_dataclass(class_: ast.ClassDef) -> bool:
    return "dataclass" in _decorators(class_)


def _decorators(class_: ast.ClassDef) -> Iterator[str]:
    for decorator in class_.decorator_list:
        yield ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
