"""Operations that sources define differently, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.source import all_definitions
from tdls.project.definitions import Claim, Conflict
from tdls.project.scanning.merging import shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tdls.catalogue.model import OperationDefinition
    from tdls.catalogue.source import CatalogueSource
    from tdls.project.catalogue import ProjectCatalogue


def all_conflicts(found: Sequence[ProjectCatalogue], files: Sequence[CatalogueSource] = ()) -> list[Conflict]:
    """Return what `found`, the one that wins last, do not agree about, each in itself and all together, by name.

    `files` are catalogues that win over them.
    """
    conflicts = [conflict for source in found for conflict in source.conflicts]
    ordered: list[CatalogueSource] = [*reversed(files), *reversed(found)]
    for number, source in enumerate(ordered):
        conflicts += _between(source, ordered[number + 1 :])
    return sorted(conflicts)


def conflict_lines(conflicts: Iterable[Conflict], root: Path) -> Iterator[str]:
    """Yield a line for each of `conflicts`, with files as seen from `root`."""
    for name, claims in conflicts:
        yield f"  {name}: {', then '.join(_shown(claim, root) for claim in claims)}"


def _between(winner: CatalogueSource, others: Iterable[CatalogueSource]) -> Iterator[Conflict]:
    """Yield the operations of `winner` that one of `others` defines differently."""
    tables = [other.operations for other in others]
    dialects = winner.operations.dialects() & frozenset().union(*(table.dialects() for table in tables))
    for definition in all_definitions(winner.operations):
        if definition.dialect not in dialects:
            continue
        variants = [variants[0] for table in tables if (variants := table.variants(definition.name))]
        differing = [other for other in variants if shape(other) != shape(definition)]
        if differing:
            yield Conflict(definition.name, tuple(map(_claim, (definition, *differing))))


def _claim(definition: OperationDefinition) -> Claim:
    return Claim(definition.source, definition.defined_at)


def _shown(claim: Claim, root: Path) -> str:
    source = claim.source.removeprefix(f"{root}/")
    return f"{source}:{claim.place.line + 1}" if claim.place is not None else source
