"""The order of operands in the text, by a declarative format parts of which only C++ can read."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.syntax.parser.assembly import format as ods

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.model import OperationDefinition


class _OpenError(Exception):
    """The format leaves the order open."""


def operand_order(definition: OperationDefinition) -> tuple[str, ...]:
    """Return the names of operands in the order in which the custom form has them; none where that is not certain."""
    if definition.operand_order or definition.assembly_format is None or not definition.format_known:
        return definition.operand_order
    operands = tuple(operand.name for operand in definition.operands)
    regions = frozenset(region.name for region in definition.regions)
    return _order(definition.assembly_format, operands, regions)


@lru_cache(maxsize=1024)
def _order(text: str, operands: tuple[str, ...], regions: frozenset[str]) -> tuple[str, ...]:
    try:
        found = tuple(_OperandFinder(operands, regions).of(ods.parse_format(text).elements))
    except (ValueError, _OpenError):
        return ()
    return found if len(set(found)) == len(found) else ()


class _OperandFinder:
    """Finds the operands of one operation in parts of its format."""

    def __init__(self, operands: tuple[str, ...], regions: frozenset[str]) -> None:
        self._operands = operands
        self._regions = regions

    def of(self, elements: Sequence[ods.Element]) -> Iterator[str]:
        """Yield the operands of `elements` in their order. Raises _OpenError."""
        for element in elements:
            yield from self._of(element)

    def _of(self, element: ods.Element) -> Iterator[str]:
        match element:
            case ods.Variable(name=name) if name in self._operands:
                yield name
            case ods.Operands():
                yield from self._operands
            case ods.OptionalGroup(then=then, otherwise=otherwise):
                yield from self.of((*then, *otherwise))
            case ods.OIList(clauses=clauses):
                yield from self._one([list(self.of(clause.elements)) for clause in clauses])
            case ods.Custom(args=arguments):
                yield from self._of_custom(arguments)

    def _of_custom(self, arguments: Sequence[ods.Element]) -> Iterator[str]:
        """What C++ reads may have several operands in any order, and with a region the names of block arguments."""
        if any(
            isinstance(argument, ods.Regions) or (isinstance(argument, ods.Variable) and argument.name in self._regions)
            for argument in arguments
        ):
            raise _OpenError
        found = list(self.of(arguments))
        yield from self._one([[name] for name in found])

    def _one(self, parts: list[list[str]]) -> list[str]:
        """Return the only part that has operands. Raises _OpenError if there are several."""
        found = [part for part in parts if part]
        if len(found) > 1:
            raise _OpenError
        return found[0] if found else []
