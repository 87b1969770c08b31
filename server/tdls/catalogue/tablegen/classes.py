"""Classes and multiclasses: what is written, and where."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tdls.catalogue.tablegen.nodes import Field

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.catalogue.tablegen.environment import Scope
    from tdls.catalogue.tablegen.nodes import Assignment, BodyItem, ClassCall, ClassNode, Multiclass


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

    @property
    def fields_before(self) -> tuple[frozenset[str], ...]:
        """For each parent, the fields that the parents before it have; then those of all."""
        if self._fields_before is None:
            self._fields_before = (frozenset(),) * (len(self.node.parents) + 1)  # for a class that derives from itself
            self._fields_before = fields_before(self.node.parents, self.scope)
        return self._fields_before

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
        before.append(known)
    return tuple(before)


def own_fields(items: Iterable[BodyItem]) -> frozenset[str]:
    """The names of the fields that a body declares."""
    return frozenset([item.name for item in items if isinstance(item, Field)])
