"""How many loops the structured operations have that handles hold, where their names tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition


def loops_of(catalogue: Catalogue, names: Iterable[str] | None) -> frozenset[int]:
    """Return the numbers of loops that operations with these names have; none if one of them does not tell."""
    found = [definition.loops if definition is not None else None for definition in _definitions(catalogue, names)]
    return frozenset(loops for loops in found if loops is not None) if None not in found else frozenset()


def have_one_output(catalogue: Catalogue, names: Iterable[str] | None) -> bool:
    """Tell whether operations with these names have a single initial value each."""
    found = [definition is not None and definition.outputs == 1 for definition in _definitions(catalogue, names)]
    return bool(found) and all(found)


def _definitions(catalogue: Catalogue, names: Iterable[str] | None) -> list[OperationDefinition | None]:
    return [catalogue.operation(name) for name in names or ()]
