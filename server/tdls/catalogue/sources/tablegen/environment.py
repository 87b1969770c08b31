"""Scopes, which hold the names visible to an expression, and classes with the scopes they are defined in."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from tdls.catalogue.sources.tablegen.nodes import Assignment, ClassNode, Field, Multiclass
from tdls.catalogue.sources.work import WORK
from tdls.limits import ANCESTORS, OverBudget
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.catalogue.sources.tablegen.nodes import BodyItem, ClassCall, Value
    from tdls.catalogue.sources.tablegen.values import EvaluatedValue, RecordValue


class Thunk:
    """An expression that is evaluated at its first use, in the scope in which it is written."""

    __slots__ = ("node", "scope")

    def __init__(self, node: Value, scope: VariableScope) -> None:
        self.node = node
        self.scope = scope


class Globals(Protocol):
    """The top-level definitions of a file and its includes."""

    scope: VariableScope
    """The scope of the top level."""
    anonymous_records: dict[ClassCall, RecordValue]
    """Records of classes with arguments that depend on global names only."""

    def find_class(self, name: str) -> ClassDefinition | None: ...

    def find_multiclass(self, name: str) -> MulticlassDefinition | None: ...

    def known_value(self, name: str) -> EvaluatedValue | None:
        """Return the record, defset or global defvar of that name, or None."""
        ...

    def value(self, name: str) -> EvaluatedValue:
        """Return the same as `known_value`; if there is none, a record known only by name."""
        ...

    def instances(self, class_name: str) -> Iterable[RecordValue]: ...

    def instantiate(self, call: ClassCall, scope: VariableScope) -> RecordValue:
        """Return a new anonymous record of a class with arguments, which are evaluated in `scope`."""
        ...


class VariableScope:
    """Variables and, within a record, the fields known at this place; and the scope around it (`parent`)."""

    __slots__ = ("fields", "globals", "parent", "record", "variables")

    def __init__(
        self,
        globals_: Globals,
        parent: VariableScope | None = None,
        variables: dict[str, EvaluatedValue | Thunk] | None = None,
        record: RecordValue | None = None,
        fields: frozenset[str] = frozenset(),
    ) -> None:
        self.globals = globals_
        self.parent = parent
        self.variables = {} if variables is None else variables
        self.record = record
        self.fields = fields

    def inner(self, variables: dict[str, EvaluatedValue | Thunk] | None = None) -> VariableScope:
        """Return a scope inside this one, with further variables."""
        return VariableScope(self.globals, self, variables)


class ScopedLet(Struct, frozen=True):
    """An assignment before ``in``, and the scope in which its value is evaluated."""

    assignment: Assignment
    scope: VariableScope


class ClassDefinition(Struct, eq=False, has_dict=True):
    """A class: its declaration, the scope around it, and the lets around it."""

    node: ClassNode
    scope: VariableScope
    lets: tuple[ScopedLet, ...] = ()

    _fields_before: tuple[frozenset[str], ...] | None = None
    _ancestors: tuple[tuple[str, ...], bool] | None = None

    @property
    def fields_before(self) -> tuple[frozenset[str], ...]:
        """For each parent, the fields of the parents before it; then those of all."""
        if self._fields_before is None:
            self._fields_before = (frozenset(),) * (len(self.node.parents) + 1)  # for a class that derives from itself
            with WORK.deeper():
                self._fields_before = fields_before(self.node.parents, self.scope)
        return self._fields_before

    @property
    def ancestors(self) -> tuple[tuple[str, ...], bool]:
        """The names of all superclasses, each after its own superclasses, and whether all were found."""
        if self._ancestors is None:
            self._ancestors = ((), True)  # for a class that derives from itself
            try:
                with WORK.deeper():
                    self._ancestors = ancestors(self.node.parents, self.scope)
            except OverBudget:
                self._ancestors = ((), False)
                raise
        return self._ancestors

    @cached_property
    def fields(self) -> frozenset[str]:
        """The names of all fields, own and inherited."""
        return self.fields_before[-1] | own_fields(self.node.items)


class MulticlassDefinition(Struct, eq=False):
    """A multiclass: its declaration, the scope around it, and the lets around it."""

    node: Multiclass
    scope: VariableScope
    lets: tuple[ScopedLet, ...] = ()


def fields_before(parents: Iterable[ClassCall], scope: VariableScope) -> tuple[frozenset[str], ...]:
    """Return, for each parent of a class or record, the fields of the parents before it; then those of all."""
    known: frozenset[str] = frozenset()
    before = [known]
    for parent in parents:
        found = scope.globals.find_class(parent.name)
        if found is not None:
            known |= found.fields
            WORK.elements(len(known))
        before.append(known)
    return tuple(before)


def ancestors(parents: Iterable[ClassCall], scope: VariableScope) -> tuple[tuple[str, ...], bool]:
    """Return all superclasses through `parents`, each after its own superclasses, and whether all were found."""
    names: dict[str, None] = {}
    complete = True
    for parent in parents:
        found = scope.globals.find_class(parent.name)
        inherited, inherited_complete = found.ancestors if found is not None else ((), False)
        complete = complete and inherited_complete
        names.update(dict.fromkeys((*inherited, parent.name)))
        WORK.spend(len(inherited))
        if len(names) > ANCESTORS.most:
            raise OverBudget(ANCESTORS)
    return tuple(names), complete


def own_fields(items: Iterable[BodyItem]) -> frozenset[str]:
    """Return the names of the fields that a body declares."""
    return frozenset([item.name for item in items if isinstance(item, Field)])
