"""Reads dialects that are written in Python with ``mlir.dialects.ext``, without running the file.

A class that derives from ``ext.Dialect`` is a dialect. Classes that derive from its ``Operation``, ``Type`` and
``Attribute``, or name it as ``dialect=``, are its members. Interfaces are attached to operations afterwards:
``SomeModel.attach(SomeOp.OPERATION_NAME)``. All of these may be in different files. A class in a function, whose name
is an argument, is one operation for each call of the function.
"""

from __future__ import annotations

import ast
import inspect
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

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
from tdls.catalogue.sources.python_modules.effects import with_effects
from tdls.catalogue.sources.python_modules.fields import FieldKind, fields_of
from tdls.catalogue.sources.python_modules.program import PythonClass, last_name, resolve, text_of, truth, unaliased
from tdls.catalogue.sources.work import SourceProblem
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tdls.catalogue.model import AnyDefinition
    from tdls.catalogue.sources.python_modules.program import Closure, PythonFunction, PythonProgram


_EFFECTS = "MemoryEffectsOpInterface"
_INTERFACES = {
    _EFFECTS: "MemoryEffectOpInterface",
    "TransformOpInterface": "TransformOpInterface",
    "PatternDescriptorOpInterface": "PatternDescriptorOpInterface",
}
"""Names of interfaces in Python, with the names of their C++ traits."""
_IMPLEMENTATIONS = ("apply", "populate_patterns", "get_effects", "verify_invariants", "verify")


def written_definitions(program: PythonProgram) -> Iterator[tuple[Path, AnyDefinition | SourceProblem]]:
    """Yield the definitions of the files, with their paths, and problems of those whose dialect is not found.

    Of classes of one name under conditions that are not known none counts.
    """
    found = list(_all_definitions(program))
    counts = Counter(definition.name for definition, _ in found if not isinstance(definition, SourceProblem))
    for definition, is_sure in found:
        if isinstance(definition, SourceProblem):
            yield definition.path, definition
        elif definition.defined_at is not None and (is_sure or counts[definition.name] == 1):
            yield definition.defined_at.path, definition


def _all_definitions(program: PythonProgram) -> Iterator[tuple[AnyDefinition | SourceProblem, bool]]:
    """Yield all definitions and problems, and whether the conditions around a definition are known."""
    for module in program.modules:
        for python_class in module.classes:
            if python_class.keyword("name") is None or _dialect_name(python_class) is not None:
                continue
            membership = _membership(python_class)
            if membership is not None:
                kind, dialect, written = membership
                yield from _definitions(python_class, kind, dialect, written)


def _definitions(
    python_class: PythonClass, kind: str, dialect: PythonClass | None, written: str
) -> Iterator[tuple[AnyDefinition | SourceProblem, bool]]:
    """Yield the definition of a class, or those of the calls of the function around it, which makes classes."""
    place = SourcePlace(python_class.path, python_class.node.lineno - 1, python_class.node.col_offset)
    for name in _names(python_class, python_class.scope.functions(), 0):
        prefix = _dialect_name(dialect) if dialect is not None else None
        if prefix is None:
            message = f"the dialect '{written}' of '{name.text}' is defined in no file that was read"
            yield SourceProblem(place.path, place.line, message), True
            continue
        definition = _MAKERS[kind](python_class, f"{prefix}.{name.text}")
        if isinstance(definition, OperationDefinition):
            definition = _with_interfaces(definition, python_class)
        yield replace(definition, defined_at=name.place or place), name.is_sure


class _Name(NamedTuple):
    """The name of an operation, and the place of the call that makes its class, None for a plain class."""

    text: str
    is_sure: bool
    place: SourcePlace | None = None


def _names(python_class: PythonClass, around: list[PythonFunction], depth: int) -> Iterator[_Name]:
    """Yield the names of a class, one for each call of the innermost function `around` it that decides the name.

    While a name is used, the functions have the arguments of the call.
    """
    name = text_of(python_class.keyword("name"), python_class.scope)
    if name is not None:
        known = [(truth(test, python_class.scope), value) for test, value in python_class.conditions]
        if all(found in (None, value) for found, value in known):
            yield _Name(name, is_sure=all(found is not None for found, _ in known))
        return
    if not around or depth > _MOST_CALLS_INSIDE:
        return
    function, outer = around[0], around[1:]
    for call in _calls_of(function):
        with function.called(call):
            for found in _names(python_class, outer or call.scope.functions(), depth + 1):
                node = call.expression
                path = call.scope.module.path
                yield (
                    found if found.place else found._replace(place=SourcePlace(path, node.lineno - 1, node.col_offset))
                )


def _calls_of(function: PythonFunction) -> Iterator[Closure]:
    """Yield the calls of a function that are not in its own body."""
    if isinstance(function.node, ast.Lambda):
        return
    for module in function.scope.module.program.modules:
        for name in module.names_of(function.node.name):
            for call in module.calls.get(name, ()):
                node = call.expression
                is_meant = isinstance(node, ast.Call) and resolve(node.func, call.scope) is function
                if is_meant and function not in call.scope.functions():
                    yield call


def making_functions(program: PythonProgram) -> frozenset[str]:
    """Return the names of the functions that make classes of operations under names that they are given."""
    waiting = [
        python_class.scope.functions()
        for module in program.modules
        for python_class in module.classes
        if python_class.keyword("name") is not None
    ]
    found: set[PythonFunction] = set()
    while waiting:
        for function in waiting.pop():
            if function not in found:
                found.add(function)
                waiting += (call.scope.functions() for call in _calls_of(function))
    return frozenset(function.node.name for function in found if not isinstance(function.node, ast.Lambda))


_MOST_CALLS_INSIDE = 4
"""Maximum number of functions that pass on the name of an operation."""


def _dialect_name(python_class: PythonClass) -> str | None:
    if "Dialect" not in python_class.base_names():
        return None
    names = (text_of(ancestor.keyword("name"), ancestor.scope) for ancestor in python_class.ancestry())
    return next((name for name in names if name is not None), None)


def _membership(python_class: PythonClass) -> tuple[str, PythonClass | None, str] | None:
    """Return the kind and the dialect of a definition, with the dialect's name in the text; None for other classes."""
    for ancestor in python_class.ancestry():
        dialect = ancestor.keyword("dialect")
        for written in ancestor.node.bases:
            base = unaliased(written, ancestor.scope)
            kind = last_name(base)
            if kind not in _MAKERS:
                continue
            if dialect is not None:
                owner = dialect
            elif isinstance(base, ast.Attribute) and last_name(base.value) not in _MODULES:
                owner = base.value
            else:
                continue
            found = resolve(owner, ancestor.scope)
            return kind, found if isinstance(found, PythonClass) else None, last_name(owner)
    return None


_MODULES = frozenset(("ext", "ir"))


def _operation(python_class: PythonClass, name: str) -> OperationDefinition:
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
    )


def _type(python_class: PythonClass, name: str) -> TypeDefinition:
    parameters = _parameters(python_class)
    described = _documentation(python_class)
    return TypeDefinition(name, parameters, assembly_format_of(parameters), description=described)


def _attribute(python_class: PythonClass, name: str) -> AttributeKindDefinition:
    parameters = _parameters(python_class)
    described = _documentation(python_class)
    return AttributeKindDefinition(name, parameters, assembly_format_of(parameters), description=described)


def _parameters(python_class: PythonClass) -> tuple[ParameterDefinition, ...]:
    return tuple(ParameterDefinition(field.name, field.constraint) for field in fields_of(python_class))


_MAKERS: dict[str, Callable[[PythonClass, str], AnyDefinition]] = {
    "Operation": _operation,
    "Type": _type,
    "Attribute": _attribute,
}


def _traits(python_class: PythonClass) -> frozenset[str]:
    """Return the traits of ``traits=[IsTerminatorTrait]``, of the class and of its bases."""
    lists = [ancestor.keyword("traits") for ancestor in python_class.ancestry()]
    elements = [element for each in lists if isinstance(each, ast.List | ast.Tuple) for element in each.elts]
    return frozenset(last_name(element).removesuffix("Trait") for element in elements if last_name(element))


def _models(python_class: PythonClass) -> list[PythonClass]:
    """Return the classes whose implementations of interfaces are attached to an operation.

    A class for an interface inside the operation's class, to which no call refers, is attached by a loop or by a base.
    """
    found: list[PythonClass] = []
    lineage = list(python_class.ancestry())
    for module in python_class.scope.module.program.modules:
        for call in module.calls.get("attach", ()):
            model = _attached(call, python_class, lineage)
            if model is not None and model not in found:
                found.append(model)
    for name in dict.fromkeys(name for ancestor in lineage for name in ancestor.body.names):
        inner = python_class.member(name)
        if isinstance(inner, PythonClass) and inner not in found:
            interfaces = _INTERFACES.keys() & inner.base_names()
            if interfaces and not any(interfaces & model.base_names() for model in found):
                found.append(inner)
    return found


def _attached(call: Closure, python_class: PythonClass, lineage: list[PythonClass]) -> PythonClass | None:
    """Return the model of a call ``model.attach(operation.OPERATION_NAME)``; None for calls for other operations."""
    match call.expression:
        case ast.Call(func=ast.Attribute(value=written, attr="attach"), args=[target, *_]):
            pass
        case _:
            return None
    around = call.scope.surrounding_class()
    me = python_class if around in lineage else around
    if around in lineage and _is_overridden(call, python_class):
        return None
    if isinstance(target, ast.Attribute) and target.attr == "OPERATION_NAME":
        if resolve(target.value, call.scope, me) is not python_class:
            return None
    elif (name := text_of(target, call.scope)) is None or name != _full_name(python_class):
        return None
    model = resolve(written, call.scope, me)
    return model if isinstance(model, PythonClass) else None


def _is_overridden(call: Closure, python_class: PythonClass) -> bool:
    """Return whether the method of a call is not the operation's: a nearer class has its own, without ``super()``."""
    methods = [function.node for function in call.scope.functions() if isinstance(function.scope.owner, PythonClass)]
    if not methods or isinstance(methods[-1], ast.Lambda):
        return False
    nearest = python_class.method(methods[-1].name)
    if nearest is None or nearest.node is methods[-1]:
        return False
    return not any(isinstance(node, ast.Name) and node.id == "super" for node in ast.walk(nearest.node))


def _full_name(python_class: PythonClass) -> str | None:
    membership = _membership(python_class)
    dialect = membership[1] if membership is not None else None
    prefix = _dialect_name(dialect) if dialect is not None else None
    name = text_of(python_class.keyword("name"), python_class.scope)
    return f"{prefix}.{name}" if prefix is not None and name is not None else None


def _with_interfaces(definition: OperationDefinition, python_class: PythonClass) -> OperationDefinition:
    models = _models(python_class)
    names = [model.base_names() for model in models]
    interfaces = {trait for name, trait in _INTERFACES.items() if any(name in ancestors for ancestors in names)}
    definition = replace(
        definition,
        traits=definition.traits | interfaces,
        takes_repeated=any(_allows_repeated(model) for model in models),
        implemented_at=tuple(_implementations(models)),
    )
    effects = [
        (model, function)
        for model, bases in zip(models, names, strict=True)
        if _EFFECTS in bases and (function := model.method("get_effects")) is not None
    ]
    definition = with_effects(definition, effects)
    if interfaces == {"PatternDescriptorOpInterface"}:
        return replace(definition, payload_effect=PayloadEffect.NONE)
    return definition


def _allows_repeated(model: PythonClass) -> bool:
    method = model.method("allow_repeated_handle_operands")
    return (
        method is not None
        and isinstance(method.node, ast.FunctionDef)
        and (ast.unparse(method.node.body[-1]) == "return True")
    )


def _implementations(models: list[PythonClass]) -> Iterator[SourcePlace]:
    for name in _IMPLEMENTATIONS:
        for model in models:
            method = model.method(name)
            if method is not None:
                yield SourcePlace(method.scope.module.path, method.node.lineno - 1, method.node.col_offset)


def _documentation(python_class: PythonClass) -> str:
    return inspect.cleandoc(ast.get_docstring(python_class.node, clean=False) or "").strip()
