"""Executes the statements of a file, which define classes, multiclasses, records and variables in a `Namespace`.

Only conditions, loops and names are evaluated at once, since they decide which names exist. Fields of records are
evaluated at their first use.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from tdls.catalogue.sources.tablegen import evaluation
from tdls.catalogue.sources.tablegen.environment import (
    ClassDefinition,
    MulticlassDefinition,
    ScopedLet,
    Thunk,
    VariableScope,
)
from tdls.catalogue.sources.tablegen.nodes import (
    ClassNode,
    DefinitionSet,
    DefStatement,
    DefvarStatement,
    Foreach,
    IfThen,
    Include,
    Multiclass,
    MultiDefinition,
    Name,
)
from tdls.catalogue.sources.tablegen.nodes import Let as LetNode
from tdls.catalogue.sources.tablegen.records import Record, bind_arguments
from tdls.catalogue.sources.tablegen.values import Missing
from tdls.catalogue.sources.work import WORK
from tdls.structs import Struct, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tdls.catalogue.sources.tablegen.nodes import ClassCall, Statement, Value
    from tdls.catalogue.sources.tablegen.values import EvaluatedValue

_STEPS_OF_STATEMENT, _STEPS_OF_BLOCK, _STEPS_OF_RECORD = 10, 30, 100
"""Own steps of each, without its content but with the scopes made for it; evaluating an expression is one step."""


class Namespace(Protocol):
    """The receiver of definitions."""

    classes: dict[str, ClassDefinition]
    multiclasses: dict[str, MulticlassDefinition]
    values: dict[str, EvaluatedValue | Thunk]
    records: list[Record]

    def include(self, path: str, lets: tuple[ScopedLet, ...]) -> None:
        """Make the definitions of the file `path` visible, if it is found; `lets` are those around the ``include``."""
        ...

    def record(self, name: str | None, offset: int) -> Record:
        """Return a new record, not yet among `records`; anonymous if `name` is None."""
        ...


class _Addition(Struct, frozen=True):
    """The classes that a ``defm`` adds to the records it makes, and the lets around it."""

    parents: tuple[ClassCall, ...]
    scope: VariableScope
    lets: tuple[ScopedLet, ...]


class StatementContext(Struct, frozen=True):
    """The context of a statement."""

    namespace: Namespace
    scope: VariableScope
    lets: tuple[ScopedLet, ...] = ()
    additions: tuple[_Addition, ...] = ()
    """From the innermost ``defm`` to the outermost."""
    prefix: str | None = None
    """The value of ``NAME`` within a multiclass."""
    offset: int | None = None
    """The offset of the ``defm`` that is being expanded, or None outside of one."""
    sets: tuple[list[Record], ...] = ()
    """The members of the ``defset``s around the statement."""

    @classmethod
    def of(cls, namespace: Namespace, scope: VariableScope, lets: tuple[ScopedLet, ...]) -> StatementContext:
        """Return the context of a top-level statement of a file; `lets` are those around its ``include``."""
        return cls(namespace, scope, lets)

    @property
    def is_top_level(self) -> bool:
        """True if variables are global here."""
        return self.scope.parent is None


def execute(statements: Iterable[Statement], context: StatementContext) -> None:
    """Execute statements. Raises OverBudget, e.g. for endless recursion."""
    WORK.spend(_STEPS_OF_BLOCK)
    with WORK.deeper():
        for statement in statements:
            WORK.spend(_STEPS_OF_STATEMENT)
            _EXECUTORS[type(statement)](statement, context)


def _class(node: ClassNode, context: StatementContext) -> None:
    classes = context.namespace.classes
    is_declaration = not (node.parents or node.items or node.parameters)
    if node.name not in classes or not is_declaration:
        classes[node.name] = ClassDefinition(node, context.scope, context.lets)


def _multiclass(node: Multiclass, context: StatementContext) -> None:
    context.namespace.multiclasses[node.name] = MulticlassDefinition(node, context.scope, context.lets)


def _definition(node: DefStatement, context: StatementContext) -> None:
    WORK.spend(_STEPS_OF_RECORD)
    name = _object_name(node.name, context)
    offset = node.offset if context.offset is None else context.offset
    record = context.namespace.record(name, offset)
    scope = context.scope.inner({"NAME": record.name})
    added = [(addition.parents, addition.scope) for addition in context.additions]
    record.build_later([(node.parents, scope), *added], partial(_build, record, node, scope, context))
    context.namespace.records.append(record)
    if not record.anonymous:
        context.namespace.values[record.name] = record
    for members in context.sets:
        members.append(record)


def _build(record: Record, node: DefStatement, scope: VariableScope, context: StatementContext) -> None:
    record.derive(node.parents, scope)
    record.apply(context.lets)
    record.add_body(node.items, scope)
    for addition in context.additions:
        record.derive(addition.parents, addition.scope)
        record.apply(addition.lets)


def _object_name(node: Value, context: StatementContext) -> str | None:
    """Return the name of a definition, or None for an anonymous one, and for an unknown name."""
    if node is None:
        return None
    name = evaluation.evaluate_name(node, context.scope)
    if not isinstance(name, str):
        name = evaluation.joined(name, "")
    if not isinstance(name, str):
        return None
    return name if context.prefix is None or _mentions_name(node) else context.prefix + name


def _mentions_name(node: Any) -> bool:
    if isinstance(node, Name):
        return node.text == "NAME"
    return isinstance(node, tuple) and any(_mentions_name(part) for part in node)


def _multi_definition(node: MultiDefinition, context: StatementContext) -> None:
    name = _object_name(node.name, context)
    if name is None:
        name = context.namespace.record(None, node.offset).name
    globals_ = context.scope.globals
    found = [(call, globals_.find_multiclass(call.name)) for call in node.parents]
    parents = tuple(call for call, multiclass in found if multiclass is None)
    inside = replace(
        context,
        additions=(_Addition(parents, context.scope.inner({"NAME": name}), context.lets), *context.additions),
        prefix=name,
        offset=node.offset if context.offset is None else context.offset,
    )
    for call, multiclass in found:
        if multiclass is not None:
            _expand(multiclass, call, inside, context.scope)


def _expand(
    multiclass: MulticlassDefinition, call: ClassCall, context: StatementContext, outside: VariableScope
) -> None:
    """Execute the statements of a multiclass, after those of the multiclasses that it derives from."""
    assert context.prefix is not None
    with WORK.deeper():
        variables: dict[str, EvaluatedValue | Thunk] = {"NAME": context.prefix}
        scope = multiclass.scope.inner(variables)
        bind_arguments(variables, multiclass.node.parameters, call.arguments, outside, scope)
        for parent in multiclass.node.parents:
            found = scope.globals.find_multiclass(parent.name)
            if found is not None:
                _expand(found, parent, context, scope)
        execute(multiclass.node.statements, replace(context, scope=scope, lets=multiclass.lets))


def _let(node: LetNode, context: StatementContext) -> None:
    lets = tuple(ScopedLet(assignment, context.scope) for assignment in node.assignments)
    execute(node.statements, replace(context, scope=context.scope.inner(), lets=context.lets + lets))


def _foreach(node: Foreach, context: StatementContext) -> None:
    for value in evaluation.numbers(node.values, context.scope) or ():
        execute(node.statements, replace(context, scope=context.scope.inner({node.name: value})))


def _if_then(node: IfThen, context: StatementContext) -> None:
    """If the condition is unknown, execute both branches, since either may apply."""
    decided = evaluation.truth(evaluation.evaluate(node.condition, context.scope))
    inside = replace(context, scope=context.scope.inner())
    if isinstance(decided, Missing) or decided:
        execute(node.statements, inside)
    if isinstance(decided, Missing) or not decided:
        execute(node.otherwise, inside)


def _variable(node: DefvarStatement, context: StatementContext) -> None:
    thunk = Thunk(node.value, context.scope)
    if context.is_top_level:
        context.namespace.values[node.name] = thunk
    else:
        context.scope.variables[node.name] = thunk


def _definition_set(node: DefinitionSet, context: StatementContext) -> None:
    members: list[Record] = []
    execute(node.statements, replace(context, sets=(*context.sets, members)))
    context.namespace.values[node.name] = tuple(members)


_EXECUTORS: dict[type, Callable[[Any, StatementContext], None]] = {
    Include: lambda node, context: context.namespace.include(node.path, context.lets),
    ClassNode: _class,
    Multiclass: _multiclass,
    DefStatement: _definition,
    MultiDefinition: _multi_definition,
    LetNode: _let,
    Foreach: _foreach,
    IfThen: _if_then,
    DefvarStatement: _variable,
    DefinitionSet: _definition_set,
}
