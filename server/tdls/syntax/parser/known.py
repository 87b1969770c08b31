"""What the catalogue knows of the operations of one text, asked once for each name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition


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
    """Definitions by name and their parts by name."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._variants: dict[str, tuple[OperationDefinition, ...]] = {}
        self._names: dict[int, Names] = {}

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

    def names_of(self, definition: OperationDefinition) -> Names:
        """Return the parts of `definition`, which is one that `variants` returned."""
        found = self._names.get(id(definition))
        if found is None:
            found = self._names[id(definition)] = Names(definition)
        return found
