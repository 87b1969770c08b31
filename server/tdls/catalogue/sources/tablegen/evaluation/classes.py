"""Classes and multiclasses: what is written, and where."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tdls.bounds.budget import OverBudget
from tdls.bounds.limits import ANCESTORS
from tdls.catalogue.sources.tablegen.syntax.nodes import Field
from tdls.catalogue.sources.work import WORK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.catalogue.sources.tablegen.evaluation.environment import Scope
    from tdls.catalogue.sources.tablegen.syntax.nodes import Assignment, BodyItem, ClassCall, ClassNode, Multiclass


@dataclass(frozen=True)
class Let:
    """An assignment before ``in``, and the scope in which its value is evaluated."""

    assignment: Assignment
    scope: Scope


@dataclass(eq=False)
class ClassDefinition:
    """A class: its declaration, the scope around it, and the lets it stands in."""

    node: ClassNode
    scope: Scope
    lets: tuple[Let, ...] = ()

    _fields_before: tuple[frozenset[str], ...] | None = None
    _ancestors: tuple[tuple[str, ...], bool] | None = None

    @property
    def fields_before(self) -> tuple[frozenset[str], ...]:
        """For each parent, the fields that the parents before it have; then those of all."""
        if self._fields_before is None:
            self._fields_before = (frozenset(),) * (len(self.node.parents) + 1)  # for a class that derives from itself
            with WORK.deeper():
                self._fields_before = fields_before(self.node.parents, self.scope)
        return self._fields_before

    @property
    def ancestors(self) -> tuple[tuple[str, ...], bool]:
        """The names of all classes that it derives from, each behind its own; and whether all were found."""
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


@dataclass(eq=False)
class MulticlassDefinition:
    """A multiclass: its declaration, the scope around it, and the lets it stands in."""

    node: Multiclass
    scope: Scope
    lets: tuple[Let, ...] = ()


def fields_before(parents: Iterable[ClassCall], scope: Scope) -> tuple[frozenset[str], ...]:
    """For each parent of a class or record, the fields that the parents before it have; then those of all."""
    known: frozenset[str] = frozenset()
    before = [known]
    for parent in parents:
        found = scope.globals.find_class(parent.name)
        if found is not None:
            known |= found.fields
            WORK.elements(len(known))
        before.append(known)
    return tuple(before)


def ancestors(parents: Iterable[ClassCall], scope: Scope) -> tuple[tuple[str, ...], bool]:
    """All classes that something with these parents derives from, each behind its own; and whether all were found."""
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
    """The names of the fields that a body declares."""
    return frozenset([item.name for item in items if isinstance(item, Field)])
