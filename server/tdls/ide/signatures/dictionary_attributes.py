"""Attributes that have to be written in an operation's dictionary, as its format has no other place for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.assembly.attributes import is_unit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.catalogue.model import AttributeDefinition, OperationDefinition


def required_in_dictionary(
    definition: OperationDefinition, elements: Iterable[ods.Element]
) -> tuple[AttributeDefinition, ...]:
    """Return the attributes without default that `elements`, the format of the operation, leave to its dictionary."""
    elements = tuple(elements)
    if any(isinstance(element, ods.PropDict) for element in elements):
        return ()
    spelled = set(_variables(elements))
    return tuple(
        attribute for attribute in definition.attributes if attribute.name not in spelled and _is_required(attribute)
    )


def _is_required(attribute: AttributeDefinition) -> bool:
    return not attribute.optional and attribute.default is None and not is_unit(attribute)


def _variables(elements: Iterable[ods.Element]) -> Iterator[str]:
    for element in elements:
        match element:
            case ods.Variable(name=name):
                yield name
            case ods.Qualified(arg=argument):
                yield from _variables((argument,))
            case ods.Custom(args=arguments):
                yield from _variables(arguments)
            case ods.OptionalGroup(then=then, otherwise=otherwise):
                yield from _variables((*then, *otherwise))
            case ods.OIList(clauses=clauses):
                yield from _variables(inner for clause in clauses for inner in clause.elements)
