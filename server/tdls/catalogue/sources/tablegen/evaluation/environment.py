"""Which names an expression sees, and what they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.catalogue.sources.tablegen.evaluation.classes import ClassDefinition, MulticlassDefinition
    from tdls.catalogue.sources.tablegen.evaluation.records import Record
    from tdls.catalogue.sources.tablegen.evaluation.values import EvaluatedValue
    from tdls.catalogue.sources.tablegen.syntax.nodes import ClassCall, Value


class Thunk:
    """An expression that is evaluated where somebody asks for it, in the scope in which it is written."""

    __slots__ = ("node", "scope")

    def __init__(self, node: Value, scope: Scope) -> None:
        self.node = node
        self.scope = scope


class Globals(Protocol):
    """What a file and its includes define at the top level."""

    scope: Scope
    """The scope of the top level."""
    anonymous_records: dict[ClassCall, Record]
    """Records of classes with arguments that depend on nothing but global names."""

    def find_class(self, name: str) -> ClassDefinition | None:
        """The class of that name."""
        ...

    def find_multiclass(self, name: str) -> MulticlassDefinition | None:
        """The multiclass of that name."""
        ...

    def known_value(self, name: str) -> EvaluatedValue | None:
        """The record, defset or global defvar of that name; None if there is none."""
        ...

    def value(self, name: str) -> EvaluatedValue:
        """The same; a record of which nothing but the name is known if there is none."""
        ...

    def instances(self, class_name: str) -> Iterable[Record]:
        """All records that derive from a class and have a name."""
        ...


class Scope:
    """Variables and, within a record, the fields that are known at this place; then the scope around it."""

    __slots__ = ("fields", "globals", "parent", "record", "variables")

    def __init__(
        self,
        globals_: Globals,
        parent: Scope | None = None,
        variables: dict[str, EvaluatedValue | Thunk] | None = None,
        record: Record | None = None,
        fields: frozenset[str] = frozenset(),
    ) -> None:
        self.globals = globals_
        self.parent = parent
        self.variables = {} if variables is None else variables
        self.record = record
        self.fields = fields

    def inner(self, variables: dict[str, EvaluatedValue | Thunk] | None = None) -> Scope:
        """A scope inside this one, with further variables."""
        return Scope(self.globals, self, variables)
