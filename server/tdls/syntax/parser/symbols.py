"""Symbol references inside attribute values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax.details import symbol_references_in
from tdls.syntax.tree import SymbolUse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.syntax.tree import NamedAttribute


def symbols_in_attributes(attributes: Iterable[NamedAttribute]) -> Iterator[SymbolUse]:
    """Yield the symbol references that the values of `attributes` spell."""
    for attribute in attributes:
        if attribute.value is None:
            continue
        for reference in symbol_references_in(attribute.value):
            yield SymbolUse(*reference.span.shifted(attribute.value_start), reference.path)
