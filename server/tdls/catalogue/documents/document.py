"""Catalogue files as tdls writes them: sorted, one definition a line, nothing that only holds on one machine."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from tdls.catalogue.documents.codec import encode
from tdls.catalogue.source import all_definitions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tdls.catalogue.model import AnyDefinition, AttributeKindDefinition, OperationDefinition, Rename, TypeDefinition
    from tdls.catalogue.source import CatalogueSource

    _D = TypeVar("_D", OperationDefinition, TypeDefinition, AttributeKindDefinition)

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class CatalogueDocument:
    """What a catalogue file holds. Definitions of one name are its variants, from the newest to the oldest LLVM."""

    operations: tuple[OperationDefinition, ...] = ()
    types: tuple[TypeDefinition, ...] = ()
    attributes: tuple[AttributeKindDefinition, ...] = ()
    renames: tuple[Rename, ...] = ()

    @classmethod
    def of(cls, source: CatalogueSource, renames: Iterable[Rename] = ()) -> CatalogueDocument:
        """All definitions of a source."""
        return cls(
            tuple(all_definitions(source.operations)),
            tuple(all_definitions(source.types)),
            tuple(all_definitions(source.attribute_kinds)),
            tuple(renames),
        )

    def where(self, keep: Callable[[AnyDefinition], bool]) -> CatalogueDocument:
        """The definitions that `keep` wants, and all renames."""
        return replace(
            self,
            operations=tuple(filter(keep, self.operations)),
            types=tuple(filter(keep, self.types)),
            attributes=tuple(filter(keep, self.attributes)),
        )

    def __len__(self) -> int:
        return len(self.operations) + len(self.types) + len(self.attributes)


def merged(catalogues: Iterable[CatalogueDocument]) -> CatalogueDocument:
    """One catalogue out of several: of a name, the last one that has it decides, with all its variants."""
    kept = list(catalogues)
    return CatalogueDocument(
        _last(document.operations for document in kept),
        _last(document.types for document in kept),
        _last(document.attributes for document in kept),
        tuple({rename.former: rename for document in kept for rename in document.renames}.values()),
    )


def catalogue_text(definitions: CatalogueDocument) -> str:
    """The text of a catalogue file. It has no places in sources and does not say where definitions come from."""
    tables: dict[str, list[Any]] = {
        "types": _encoded(definitions.types),
        "attributes": _encoded(definitions.attributes),
        "operations": _encoded(definitions.operations),
        "renames": [encode(rename) for rename in sorted(definitions.renames, key=lambda rename: rename.former)],
    }
    lines = [f'{{"format": {_FORMAT}']
    for key, items in tables.items():
        if items:
            elements = ",\n".join(json.dumps(item, ensure_ascii=False) for item in items)
            lines.append(f'"{key}": [\n{elements}\n]')
    return ",\n".join(lines) + "\n}\n"


def _encoded(definitions: Iterable[_D]) -> list[Any]:
    """Definitions by name; variants stay in their order."""
    return [
        encode(replace(definition, source=""))
        for definition in sorted(definitions, key=lambda definition: definition.name)
    ]


def _last(tables: Iterable[tuple[_D, ...]]) -> tuple[_D, ...]:
    variants: dict[str, list[_D]] = {}
    for table in tables:
        own: dict[str, list[_D]] = {}
        for definition in table:
            own.setdefault(definition.name, []).append(definition)
        variants.update(own)
    return tuple(definition for name in sorted(variants) for definition in variants[name])
