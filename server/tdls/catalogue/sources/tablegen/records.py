"""Records: fields from classes and definitions, evaluated at their first use.

As in TableGen, an expression in a class sees the final values of the record's fields, after all assignments.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tdls.catalogue.sources.tablegen import evaluation
from tdls.catalogue.sources.tablegen.environment import (
    ScopedLet,
    Thunk,
    VariableScope,
    ancestors,
    fields_before,
    own_fields,
)
from tdls.catalogue.sources.tablegen.nodes import Assignment, BitsType, Field, ListType, TypeNode, Value
from tdls.catalogue.sources.tablegen.values import UNKNOWN, UNSET, Bits, Missing, RecordValue, bits_of
from tdls.catalogue.sources.work import WORK
from tdls.limits import OverBudget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.catalogue.model import SourcePlace
    from tdls.catalogue.sources.tablegen.environment import ClassDefinition
    from tdls.catalogue.sources.tablegen.nodes import Argument, BodyItem, ClassCall, Pieces
    from tdls.catalogue.sources.tablegen.values import EvaluatedValue

_MOST_ANCESTORS = 60
_STEPS_OF_PARENT = 8
"""Steps of a parent class, including the scopes that are made for it."""


class _Binding(NamedTuple):
    """An assignment to a field; `earlier` is the previous one, if this one sets only some bits, or adds to it."""

    type: TypeNode
    node: Value
    scope: VariableScope
    pieces: Pieces | None = None
    mode: str = ""
    earlier: _Binding | None = None


class Record(RecordValue):
    """A definition, or an anonymous record.

    Subscripts return fields and, as in the output of ``llvm-tblgen --dump-json``, ``!name``, ``!anonymous`` and
    ``!superclasses``; None stands for unset and unknown values. ``!unknown`` is true if classes are missing.
    """

    __slots__ = ("_bindings", "_build", "_evaluating", "_groups", "_lineage", "_values", "anonymous", "name", "place")

    def __init__(self, name: str, *, anonymous: bool = False, place: SourcePlace | None = None) -> None:
        self.name = name
        self.anonymous = anonymous
        self.place = place
        self._groups: Sequence[tuple[Sequence[ClassCall], VariableScope]] = ()
        self._lineage: tuple[tuple[str, ...], bool] | None = None
        self._build: Callable[[], None] | None = None
        self._bindings: dict[str, _Binding] = {}
        self._values: dict[str, EvaluatedValue] = {}
        self._evaluating: set[str] = set()

    def __repr__(self) -> str:
        return self.name

    @classmethod
    def unknown_one(cls, name: str) -> Record:
        """Return a record known only by its name."""
        record = cls(name)
        record._lineage = ((), False)
        return record

    @property
    def superclasses(self) -> tuple[str, ...]:
        """All classes that it derives from, each after its own superclasses."""
        return self._ancestry()[0]

    @property
    def unknown(self) -> bool:
        """True if it, or a class that it derives from, was not found."""
        return not self._ancestry()[1]

    def _ancestry(self) -> tuple[tuple[str, ...], bool]:
        if self._lineage is None:
            found = [ancestors(parents, scope) for parents, scope in self._groups]
            names = dict.fromkeys(name for inherited, _ in found for name in inherited)
            self._lineage = (tuple(names), all(complete for _, complete in found))
        return self._lineage

    def value(self, field: str) -> EvaluatedValue:
        WORK.spend()
        known = self._values.get(field)
        if known is not None:
            return known
        self._finish()
        binding = self._bindings.get(field)
        if binding is None:
            return UNKNOWN if self.unknown else UNSET
        if field in self._evaluating:
            return UNSET
        self._evaluating.add(field)
        try:
            value = _bound_value(binding)
        except OverBudget:
            self._values[field] = UNKNOWN
            raise
        finally:
            self._evaluating.discard(field)
        self._values[field] = value
        return value

    def __getitem__(self, field: str) -> Any:
        if field[0] == "!":
            return getattr(self, field[1:])
        value = self.value(field)
        return None if isinstance(value, Missing) else value

    def get(self, field: str, default: Any = None) -> Any:
        """Return the field; `default` if it is unset or unknown."""
        value = self[field]
        return default if value is None else value

    def is_a(self, class_name: str) -> bool:
        return class_name in self.superclasses

    def fields(self) -> Iterable[str]:
        """Return the names of all fields, in order."""
        self._finish()
        return self._bindings

    def build_later(
        self, parents: Sequence[tuple[Sequence[ClassCall], VariableScope]], build: Callable[[], None]
    ) -> None:
        """Derive from `parents`, given with the scopes around them.

        `build` is called at the first use of a field; it calls the methods below.
        """
        self._groups = parents
        self._build = build

    def _finish(self) -> None:
        if self._build is not None:
            build, self._build = self._build, None
            try:
                build()
            except OverBudget:
                self._bindings.clear()
                self._lineage = (self._lineage or ((), False))[0], False
                raise

    # Building a record: parents, lets and its own items, in the order in which TableGen applies them.

    def derive(self, parents: Sequence[ClassCall], scope: VariableScope) -> None:
        """Add the fields of the classes `parents`, whose arguments are evaluated in `scope`."""
        self._derive(parents, scope, fields_before(parents, scope), 0)

    def apply(self, lets: Iterable[ScopedLet]) -> None:
        """Apply assignments before ``in``; assignments to fields that the record does not have are ignored."""
        for let in lets:
            if let.assignment.name in self._bindings or self.unknown:
                self._assign(let.assignment, let.scope)

    def add_body(self, items: Sequence[BodyItem], scope: VariableScope) -> None:
        """Add the items of the record's own body."""
        fields = own_fields(items).union(self._bindings)
        self._add_items(items, VariableScope(scope.globals, scope, record=self, fields=fields))

    def _derive(
        self, parents: Sequence[ClassCall], scope: VariableScope, known: tuple[frozenset[str], ...], depth: int
    ) -> None:
        for parent, fields in zip(parents, known, strict=False):
            WORK.spend(_STEPS_OF_PARENT)
            found = scope.globals.find_class(parent.name)
            if found is not None and depth < _MOST_ANCESTORS:
                outside = VariableScope(scope.globals, scope, record=self, fields=fields) if fields else scope
                self._inherit(found, parent.arguments, outside, depth)

    def _inherit(
        self, class_: ClassDefinition, arguments: Sequence[Argument], outside: VariableScope, depth: int
    ) -> None:
        scope = argument_scope(class_, arguments, outside, self.name)
        self._derive(class_.node.parents, scope, class_.fields_before, depth + 1)
        self.apply(class_.lets)
        if class_.node.items:
            inside = VariableScope(scope.globals, scope, record=self, fields=class_.fields)
            self._add_items(class_.node.items, inside)

    def _add_items(self, items: Sequence[BodyItem], scope: VariableScope) -> None:
        for item in items:
            if isinstance(item, Field):
                self._bindings[item.name] = _Binding(item.type, item.value, scope)
            elif isinstance(item, Assignment):
                self._assign(item, scope)
            else:
                scope.variables[item.name] = Thunk(item.value, scope)

    def _assign(self, item: Assignment, scope: VariableScope) -> None:
        name, pieces, value, mode = item
        earlier = self._bindings.get(name)
        type_ = earlier.type if earlier is not None else ""
        self._values.pop(name, None)
        self._bindings[name] = _Binding(type_, value, scope, pieces, mode, earlier if pieces or mode else None)


def argument_scope(
    class_: ClassDefinition, arguments: Sequence[Argument], outside: VariableScope, name: str
) -> VariableScope:
    """Return the scope of the body of a class with `arguments` as template parameters, in the record `name`."""
    variables: dict[str, EvaluatedValue | Thunk] = {"NAME": name}
    scope = class_.scope.inner(variables)
    bind_arguments(variables, class_.node.parameters, arguments, outside, scope)
    return scope


def bind_arguments(
    variables: dict[str, EvaluatedValue | Thunk],
    parameters: Sequence[Any],
    arguments: Sequence[Argument],
    outside: VariableScope,
    inside: VariableScope,
) -> None:
    """Set the template parameters of a class or multiclass to `arguments`, or to their defaults."""
    for parameter in parameters[len(arguments) :]:
        variables[parameter.name] = _delayed(parameter.default, inside)
    for parameter, argument in zip(parameters, arguments, strict=False):
        if argument.name is None:
            variables[parameter.name] = _delayed(argument.value, outside)
        else:
            variables.setdefault(parameter.name, _delayed(parameter.default, inside))
            variables[argument.name] = _delayed(argument.value, outside)


def _delayed(node: Value, scope: VariableScope) -> EvaluatedValue | Thunk:
    """Return a literal's value, and a thunk for other expressions."""
    if isinstance(node, (str, int)):
        return node
    return UNSET if node is None else Thunk(node, scope)


def instantiate(call: ClassCall, scope: VariableScope) -> Record:
    """Return the anonymous record of a class with arguments."""
    record = Record("anonymous", anonymous=True)
    record.build_later([((call,), scope)], partial(record.derive, (call,), scope))
    return record


def _bound_value(binding: _Binding) -> EvaluatedValue:
    later: list[_Binding] = []
    while binding.earlier is not None:
        later.append(binding)
        binding = binding.earlier
    value = converted(evaluation.evaluate(binding.node, binding.scope), binding.type)
    for assignment in reversed(later):
        value = _changed(value, assignment)
    return value


def _changed(before: EvaluatedValue, binding: _Binding) -> EvaluatedValue:
    """Return the value of a field after an assignment that sets some bits of `before`, or appends or prepends to it."""
    value = evaluation.evaluate(binding.node, binding.scope)
    if binding.pieces is not None:
        return evaluation.with_bits(before, binding.pieces, value, binding.scope)
    first, second = (value, before) if binding.mode == "prepend" else (before, value)
    return converted(evaluation.joined(first, second), binding.type)


def converted(value: EvaluatedValue, type_: TypeNode) -> EvaluatedValue:
    """Return the value converted to the type of a field."""
    if isinstance(type_, BitsType) and isinstance(value, int):
        return bits_of(value, type_.width)
    if isinstance(value, Bits) and type_ == "int":
        return value.number()
    if isinstance(type_, ListType) and isinstance(value, tuple) and not isinstance(value, Bits):
        WORK.elements(len(value))
        return tuple([converted(item, type_.element) for item in value])
    return value[0] if type_ == "bit" and isinstance(value, Bits) and len(value) == 1 else value
