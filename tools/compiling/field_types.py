"""Types of fields that a compiled class could not find.

mypyc looks for them when the class is made, whatever ``from __future__ import annotations`` says. A name that is there
for type checkers only is a KeyError then, or the end of the process.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def missing_types(code: str) -> list[str]:
    """Return the classes and fields of a module whose types it imports for type checkers only."""
    module = ast.parse(code)
    unknown = set(_imported_for_checkers(module))
    classes = [node for node in ast.walk(module) if isinstance(node, ast.ClassDef) and _has_fields(node)]
    return [
        f"{class_.name}.{ast.unparse(field.target)}"
        for class_ in classes
        for field in class_.body
        if isinstance(field, ast.AnnAssign) and _outermost(field.annotation) in unknown
    ]


def _imported_for_checkers(module: ast.Module) -> Iterator[str]:
    for statement in module.body:
        if isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            for node in ast.walk(statement):
                if isinstance(node, ast.ImportFrom | ast.Import):
                    yield from (alias.asname or alias.name for alias in node.names)


def _has_fields(class_: ast.ClassDef) -> bool:
    """Tell whether it is a dataclass or a named tuple."""
    names = [_outermost(node.func if isinstance(node, ast.Call) else node) for node in class_.decorator_list]
    return "dataclass" in names or "NamedTuple" in map(_outermost, class_.bases)


def _outermost(annotation: ast.expr) -> str:
    """Return the name of a class, or of the module that has it, without its arguments.

    A union, or what can be called, is not looked for.
    """
    named = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    while isinstance(named, ast.Attribute):
        named = named.value
    return named.id if isinstance(named, ast.Name) and named.id != "Callable" else ""
