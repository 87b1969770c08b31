"""What the catalogue knows of the operations of one text, asked once for each name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition

_T = TypeVar("_T")
_MOST_KEPT = 4_000
"""More definitions than those of the operations that a project uses."""


class DefinitionFact(Generic[_T]):
    """A function of a definition that is computed once for each; decorate the function with it.

    Definitions are told apart as objects: comparing what they say takes longer than most of what is asked.
    """

    def __init__(self, compute: Callable[[OperationDefinition], _T]) -> None:
        self._compute = compute
        self._known: dict[int, tuple[OperationDefinition, _T]] = {}
        """By the identity of definitions, which are kept so that no other object gets it."""

    def __call__(self, definition: OperationDefinition) -> _T:
        """Return the fact about `definition`."""
        known = self._known.get(id(definition))
        if known is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            known = self._known[id(definition)] = (definition, self._compute(definition))
        return known[1]


class Names:
    """Operands, results, attributes, regions and successors of one definition, by their ODS names."""

    __slots__ = ("attributes", "operands", "regions", "results", "successors")

    def __init__(self, definition: OperationDefinition) -> None:
        self.operands = {operand.name: operand for operand in definition.operands}
        self.results = {result.name: result for result in definition.results}
        self.attributes = {attribute.name: attribute for attribute in definition.attributes}
        self.regions = {region.name: region for region in definition.regions}
        self.successors = {successor.name: successor for successor in definition.successors}


class KnownOperations:
    """Definitions by name."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._variants: dict[str, tuple[OperationDefinition, ...]] = {}

    def variants(self, name: str) -> tuple[OperationDefinition, ...]:
        """Return the definitions of the operation with this full name, as the catalogue orders them."""
        found = self._variants.get(name)
        if found is None:
            found = self._variants[name] = self.catalogue.variants(name)
        return found

    def is_or_was(self, name: str) -> bool:
        """Tell whether there is an operation with this full name, or has been in older versions."""
        return bool(self.variants(name)) or self.catalogue.renamed(name) is not None

    def is_at_target(self, definition: OperationDefinition) -> bool:
        """Tell whether the LLVM version that the text is for has `definition`."""
        return self.catalogue.is_at_target(definition)
