"""What was found in the sources of a project, as plain data that can be kept and sent to other processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tdls.catalogue.model import (
        AttributeKindDefinition,
        OperationDefinition,
        PassDefinition,
        Rename,
        SourcePlace,
        TypeDefinition,
    )
    from tdls.catalogue.sources.work import SourceProblem
    from tdls.project.kinds import SourceKind

    KeptDefinitions: TypeAlias = Mapping[str, Mapping[str, bytes]]
    """The variants of names as bytes of `kept_values`, by dialect."""


@dataclass(frozen=True, slots=True)
class FileDefinitions:
    """What one file defines. Several definitions of a name are its variants, the first one first to be asked."""

    path: Path
    kind: SourceKind
    operations: tuple[OperationDefinition, ...] = ()
    types: tuple[TypeDefinition, ...] = ()
    attributes: tuple[AttributeKindDefinition, ...] = ()
    passes: tuple[PassDefinition, ...] = ()
    renames: tuple[Rename, ...] = ()


class DefiningFile(NamedTuple):
    """A file with definitions, and how many of each kind it has."""

    path: Path
    kind: SourceKind
    operations: int
    types: int
    attributes: int
    passes: int


class Claim(NamedTuple):
    """A definition among several of one name: where it is, for people, and in the sources if that is known."""

    source: str
    place: SourcePlace | None


class Conflict(NamedTuple):
    """An operation that sources define differently. The first of `claims` is used."""

    name: str
    claims: tuple[Claim, ...]


class SearchedPlace(NamedTuple):
    """A place that was looked through, and how many files of each kind have something to say there."""

    place: Path
    counts: tuple[tuple[SourceKind, int], ...]


@dataclass(frozen=True, slots=True)
class ProjectDefinitions:
    """All that a scan found. Definitions are read one by one, see `KeptTable`."""

    operations: KeptDefinitions
    types: KeptDefinitions
    attributes: KeptDefinitions
    passes: KeptDefinitions
    renames: tuple[Rename, ...]
    defining_files: tuple[DefiningFile, ...]
    problems: tuple[SourceProblem, ...]
    conflicts: tuple[Conflict, ...]
    searched_places: tuple[SearchedPlace, ...]
    fingerprint: str
    """A hash of all that the definitions rest on, the same in every clone of a project."""
