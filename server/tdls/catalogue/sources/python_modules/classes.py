"""Classes of a Python module and the scopes of their names, from the syntax tree alone."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, TypeDefinition
from tdls.catalogue.sources.work import SourceProblem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from tdls.catalogue.model import AnyDefinition

_MOST_ANCESTORS = 100
"""Maximum number of classes in an ancestry; further ones are ignored."""


@dataclass(eq=False, slots=True)
class PythonScope:
    """The names of a module, function or class body; `owner` is the class of a class body."""

    parent: PythonScope | None = None
    owner: PythonClass | None = None
    classes: dict[str, list[PythonClass]] = field(default_factory=dict)

    def find(self, name: str, line: int) -> PythonClass | None:
        """Return the class of a name at a 1-based line; names of a class body are not visible in its functions."""
        scope: PythonScope | None = self
        while scope is not None:
            found = scope.classes.get(name)
            if found and (scope is self or scope.owner is None):
                return next((definition for definition in reversed(found) if definition.node.lineno < line), found[-1])
            scope = scope.parent
        return None

    def surrounding_class(self) -> PythonClass | None:
        """Return the class whose methods are in this scope, which is the meaning of ``cls``."""
        scope: PythonScope | None = self
        while scope is not None and scope.owner is None:
            scope = scope.parent
        return scope.owner if scope is not None else None


@dataclass(eq=False, slots=True)
class PythonClass:
    """A class statement; `scope` is the scope around it, `body` the scope of its body."""

    node: ast.ClassDef
    scope: PythonScope
    body: PythonScope

    def bases(self) -> Iterator[PythonClass]:
        """Yield the bases that are defined in the same file."""
        for base in self.node.bases:
            found = resolve(base, self.scope)
            if found is not None and found is not self:
                yield found

    def ancestry(self) -> Iterator[PythonClass]:
        """Yield the class and all its bases in the same file, nearest first, each once."""
        waiting, seen = [self], set[int]()
        while waiting and len(seen) < _MOST_ANCESTORS:
            current = waiting.pop(0)
            if id(current) not in seen:
                seen.add(id(current))
                yield current
                waiting[:0] = list(current.bases())

    def base_names(self) -> frozenset[str]:
        """Return the last names of all bases (``TransformOpInterface``), including those of bases in the same file."""
        return frozenset(last_name(base) for ancestor in self.ancestry() for base in ancestor.node.bases)

    def inner(self, name: str) -> PythonClass | None:
        """Return a class in its body or in the body of a base."""
        return next(
            (ancestor.body.classes[name][-1] for ancestor in self.ancestry() if name in ancestor.body.classes), None
        )

    def method(self, name: str) -> ast.FunctionDef | None:
        """Return a function in its body or in the body of a base."""
        for ancestor in self.ancestry():
            for statement in ancestor.node.body:
                if isinstance(statement, ast.FunctionDef) and statement.name == name:
                    return statement
        return None

    def keyword(self, name: str) -> ast.expr | None:
        """Return a keyword argument of the class statement."""
        return next((keyword.value for keyword in self.node.keywords if keyword.arg == name), None)


@dataclass(frozen=True, slots=True)
class AttachCall:
    """``model.attach(target, ...)`` in a scope."""

    model: ast.expr
    target: ast.expr
    scope: PythonScope


@dataclass(slots=True)
class PythonModule:
    """All classes and calls of ``attach`` of a file, in the order of the text."""

    classes: list[PythonClass] = field(default_factory=list)
    calls: list[AttachCall] = field(default_factory=list)

    @classmethod
    def of(cls, tree: ast.Module) -> PythonModule:
        """Collect the classes and calls of a parsed file."""
        module = cls()
        module._visit(tree, PythonScope())
        return module

    def _visit(self, node: ast.AST, scope: PythonScope) -> None:
        waiting: list[tuple[ast.AST, PythonScope]] = [(node, scope)]
        while waiting:
            child, around = waiting.pop()
            inside = around
            if isinstance(child, ast.ClassDef):
                found = PythonClass(child, around, PythonScope(around))
                found.body.owner = found
                around.classes.setdefault(child.name, []).append(found)
                self.classes.append(found)
                inside = found.body
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                inside = PythonScope(around)
            elif isinstance(child, ast.Call):
                function = child.func
                if isinstance(function, ast.Attribute) and function.attr == "attach" and child.args:
                    self.calls.append(AttachCall(function.value, child.args[0], around))
            waiting += [(grandchild, inside) for grandchild in reversed(list(ast.iter_child_nodes(child)))]


def resolve(expression: ast.expr, scope: PythonScope, me: PythonClass | None = None) -> PythonClass | None:
    """Return the class that an expression refers to in a scope; `me` is the meaning of ``cls``."""
    if isinstance(expression, ast.Name):
        if expression.id in ("cls", "self") and me is not None:
            return me
        return scope.find(expression.id, expression.lineno)
    if isinstance(expression, ast.Attribute):
        outer = resolve(expression.value, scope, me)
        return outer.inner(expression.attr) if outer is not None else None
    return None


def last_name(expression: ast.expr) -> str:
    """Return ``c`` of ``a.b.c`` and of ``a.b.c[d]``; "" for other expressions."""
    if isinstance(expression, ast.Subscript):
        return last_name(expression.value)
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""


def text_of(expression: ast.expr | None) -> str | None:
    """Return the value of a string literal; None for other expressions."""
    is_text = isinstance(expression, ast.Constant) and isinstance(expression.value, str)
    return expression.value if is_text and isinstance(expression, ast.Constant) else None  # type: ignore[return-value]


class PendingDefinition(NamedTuple):
    """A definition without the prefix of its dialect, which is the class `dialect_class`, maybe of another file."""

    dialect_class: str
    definition: AnyDefinition


@dataclass(frozen=True, slots=True)
class PythonDefinitions:
    """The operations, types and attributes of a Python file, and problems of the parts that were not understood."""

    path: Path
    operations: tuple[OperationDefinition, ...] = ()
    types: tuple[TypeDefinition, ...] = ()
    attributes: tuple[AttributeKindDefinition, ...] = ()
    problems: tuple[SourceProblem, ...] = ()
    dialects: tuple[tuple[str, str], ...] = ()
    """Pairs of a dialect's class and the dialect's name."""
    pending: tuple[PendingDefinition, ...] = ()
    """Definitions that belong to dialects of other files; `linked` completes them."""

    @classmethod
    def of(cls, path: Path, dialects: Mapping[str, str], found: Iterable[PendingDefinition]) -> PythonDefinitions:
        """Complete the definitions of `dialects`, the names by class; all others are pending."""
        complete: list[AnyDefinition] = []
        pending: list[PendingDefinition] = []
        for pending_definition in found:
            if pending_definition.dialect_class in dialects:
                name = f"{dialects[pending_definition.dialect_class]}.{pending_definition.definition.name}"
                complete.append(replace(pending_definition.definition, name=name))
            else:
                pending.append(pending_definition)
        return cls(
            path,
            tuple(definition for definition in complete if isinstance(definition, OperationDefinition)),
            tuple(definition for definition in complete if isinstance(definition, TypeDefinition)),
            tuple(definition for definition in complete if isinstance(definition, AttributeKindDefinition)),
            dialects=tuple(dialects.items()),
            pending=tuple(pending),
        )


def linked(files: Iterable[PythonDefinitions]) -> list[PythonDefinitions]:
    """Return the same files, with their pending definitions completed by the dialects of other files.

    A definition of a dialect that no file defines, or whose class name several dialects have, is a problem of its file.
    """
    kept = list(files)
    names: dict[str, set[str]] = {}
    for class_name, name in (pair for file in kept for pair in file.dialects):
        names.setdefault(class_name, set()).add(name)
    known = {class_name: found.pop() for class_name, found in names.items() if len(found) == 1}
    return [_linked(file, known) if file.pending else file for file in kept]


def _linked(file: PythonDefinitions, dialects: Mapping[str, str]) -> PythonDefinitions:
    found = PythonDefinitions.of(file.path, dialects, file.pending)
    problems = [
        SourceProblem(
            file.path,
            pending.definition.defined_at.line if pending.definition.defined_at is not None else 0,
            f"the dialect '{pending.dialect_class}' of '{pending.definition.name}' is defined in no file that was read",
        )
        for pending in found.pending
    ]
    return replace(
        file,
        operations=file.operations + found.operations,
        types=file.types + found.types,
        attributes=file.attributes + found.attributes,
        problems=file.problems + tuple(problems),
        pending=(),
    )
