"""Reads dialects that are written in Python with ``mlir.dialects.ext``, without running the file.

A class that derives from ``ext.Dialect`` is a dialect. Classes that derive from its ``Operation``, ``Type`` and
``Attribute``, or name it as ``dialect=``, are its members. Interfaces are attached to operations afterwards:
``SomeModel.attach(SomeOp.OPERATION_NAME)``.
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from tdls.catalogue.model import (
    Arity,
    AttributeDefinition,
    AttributeKindDefinition,
    OperandDefinition,
    OperationDefinition,
    ParameterDefinition,
    PayloadEffect,
    RegionDefinition,
    ResultDefinition,
    SourcePlace,
    TypeDefinition,
)
from tdls.catalogue.source import assembly_format_of
from tdls.catalogue.sources.python_modules.classes import (
    PendingDefinition,
    PythonClass,
    PythonDefinitions,
    PythonModule,
    last_name,
    resolve,
    text_of,
)
from tdls.catalogue.sources.python_modules.effects import with_effects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tdls.catalogue.model import AnyDefinition
    from tdls.catalogue.sources.python_modules.classes import PythonClass


class FieldKind(Enum):
    """The kind of a field."""

    OPERAND = "operand"
    RESULT = "result"
    REGION = "region"
    ATTRIBUTE = "attribute"


@dataclass(frozen=True, slots=True)
class PythonField:
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
    """Yield the fields of a class, those of its bases in the same file first."""
    return _fields(definition, set())


def _fields(definition: PythonClass, seen: set[int]) -> Iterator[PythonField]:
    """Yield the fields of a class and its bases, except for the classes in `seen`."""
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


_EFFECTS = "MemoryEffectsOpInterface"
_INTERFACES = {
    _EFFECTS: "MemoryEffectOpInterface",
    "TransformOpInterface": "TransformOpInterface",
    "PatternDescriptorOpInterface": "PatternDescriptorOpInterface",
}
"""Names of interfaces in Python, with the names of their C++ traits."""
_IMPLEMENTATIONS = ("apply", "populate_patterns", "get_effects", "verify_invariants", "verify")


def written_definitions(path: Path, tree: ast.Module) -> PythonDefinitions:
    """Return the definitions of a parsed file."""
    module = PythonModule.of(tree)
    dialects = {
        python_class.node.name: name for python_class in module.classes if (name := _dialect_name(python_class))
    }
    found: dict[str, list[PendingDefinition]] = {"Operation": [], "Type": [], "Attribute": []}
    for python_class in module.classes:
        name, member = text_of(python_class.keyword("name")), _membership(python_class)
        if name is None or member is None:
            continue
        kind, dialect = member
        definition = _MAKERS[kind](path, python_class, name)
        if isinstance(definition, OperationDefinition):
            definition = _with_interfaces(path, definition, _models(python_class, module))
        found[kind].append(PendingDefinition(dialect, definition))
    return PythonDefinitions.of(path, dialects, found["Operation"] + found["Type"] + found["Attribute"])


def _dialect_name(python_class: PythonClass) -> str | None:
    is_dialect = any(last_name(base) == "Dialect" for base in python_class.node.bases)
    return text_of(python_class.keyword("name")) if is_dialect else None


def _membership(python_class: PythonClass) -> tuple[str, str] | None:
    """Return the kind and dialect class of a definition, ("Operation", "MyDialect"); None for other classes."""
    for ancestor in python_class.ancestry():
        dialect = ancestor.keyword("dialect")
        for base in ancestor.node.bases:
            kind = last_name(base)
            if kind not in _MAKERS:
                continue
            if dialect is not None:
                return kind, last_name(dialect)
            if isinstance(base, ast.Attribute) and (owner := last_name(base.value)) not in _MODULES:
                return kind, owner
    return None


_MODULES = frozenset(("ext", "ir"))


def _operation(path: Path, python_class: PythonClass, name: str) -> OperationDefinition:
    fields = list(fields_of(python_class))
    operands = [field for field in fields if field.kind is FieldKind.OPERAND]
    results = [field for field in fields if field.kind is FieldKind.RESULT]
    sized = [("AttrSizedOperandSegments", operands), ("AttrSizedResultSegments", results)]
    traits = {trait for trait, values in sized if sum(value.arity is not Arity.ONE for value in values) > 1}
    return OperationDefinition(
        name,
        tuple(OperandDefinition(field.name, field.constraint, field.arity, type=field.type) for field in operands),
        tuple(ResultDefinition(field.name, field.constraint, field.arity, type=field.type) for field in results),
        tuple(
            AttributeDefinition(field.name, field.constraint) for field in fields if field.kind is FieldKind.ATTRIBUTE
        ),
        tuple(RegionDefinition(field.name) for field in fields if field.kind is FieldKind.REGION),
        traits=frozenset(traits) | _traits(python_class),
        description=_documentation(python_class),
        defined_at=_place(path, python_class.node),
    )


def _type(path: Path, python_class: PythonClass, name: str) -> TypeDefinition:
    parameters = _parameters(python_class)
    place, described = _place(path, python_class.node), _documentation(python_class)
    return TypeDefinition(name, parameters, assembly_format_of(parameters), description=described, defined_at=place)


def _attribute(path: Path, python_class: PythonClass, name: str) -> AttributeKindDefinition:
    parameters = _parameters(python_class)
    place, described = _place(path, python_class.node), _documentation(python_class)
    format_ = assembly_format_of(parameters)
    return AttributeKindDefinition(name, parameters, format_, description=described, defined_at=place)


def _parameters(python_class: PythonClass) -> tuple[ParameterDefinition, ...]:
    return tuple(ParameterDefinition(field.name, field.constraint) for field in fields_of(python_class))


_MAKERS: dict[str, Callable[[Path, PythonClass, str], AnyDefinition]] = {
    "Operation": _operation,
    "Type": _type,
    "Attribute": _attribute,
}


def _traits(python_class: PythonClass) -> frozenset[str]:
    """Return the traits of ``traits=[IsTerminatorTrait]``, of the class and of its bases."""
    lists = [ancestor.keyword("traits") for ancestor in python_class.ancestry()]
    elements = [element for each in lists if isinstance(each, ast.List | ast.Tuple) for element in each.elts]
    return frozenset(last_name(element).removesuffix("Trait") for element in elements if last_name(element))


def _models(python_class: PythonClass, module: PythonModule) -> list[PythonClass]:
    """Return the classes whose implementations of interfaces are attached to an operation."""
    found: list[PythonClass] = []
    for call in module.calls:
        around = call.scope.surrounding_class()
        is_inside = around is not None and any(around is ancestor for ancestor in python_class.ancestry())
        me = python_class if is_inside else around
        target = call.target
        if not isinstance(target, ast.Attribute) or target.attr != "OPERATION_NAME":
            continue
        model = resolve(call.model, call.scope, me)
        if model is not None and resolve(target.value, call.scope, me) is python_class and model not in found:
            found.append(model)
    return found


def _with_interfaces(path: Path, definition: OperationDefinition, models: list[PythonClass]) -> OperationDefinition:
    names = [model.base_names() for model in models]
    interfaces = {trait for name, trait in _INTERFACES.items() if any(name in ancestors for ancestors in names)}
    definition = replace(
        definition,
        traits=definition.traits | interfaces,
        takes_repeated=any(_allows_repeated(model) for model in models),
        implemented_at=tuple(_implementations(path, models)),
    )
    functions = [model.method("get_effects") for model, bases in zip(models, names, strict=True) if _EFFECTS in bases]
    definition = with_effects(definition, [function for function in functions if function is not None])
    if interfaces == {"PatternDescriptorOpInterface"}:
        return replace(definition, payload_effect=PayloadEffect.NONE)
    return definition


def _allows_repeated(model: PythonClass) -> bool:
    method = model.method("allow_repeated_handle_operands")
    return method is not None and ast.unparse(method.body[-1]) == "return True"


def _implementations(path: Path, models: list[PythonClass]) -> Iterator[SourcePlace]:
    for name in _IMPLEMENTATIONS:
        methods = (model.method(name) for model in models)
        yield from (_place(path, method) for method in methods if method is not None)


def _documentation(python_class: PythonClass) -> str:
    return inspect.cleandoc(ast.get_docstring(python_class.node, clean=False) or "").strip()


def _place(path: Path, node: ast.ClassDef | ast.FunctionDef) -> SourcePlace:
    """Return the place of the statement itself; decorators are before it."""
    return SourcePlace(path, node.lineno - 1, node.col_offset)
