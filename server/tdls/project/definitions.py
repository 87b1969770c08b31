"""Definitions found in the sources of a project, as plain data for the cache and for other processes."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from tdls.structs import NamedTuple, Struct

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tdls.catalogue.changed_operations import Rename
    from tdls.catalogue.model import (
        AttributeKindDefinition,
        OperationDefinition,
        PassDefinition,
        SourcePlace,
        TypeDefinition,
    )
    from tdls.catalogue.sources.work import SourceProblem

    KeptDefinitions: TypeAlias = Mapping[str, Mapping[str, bytes]]
    """The variants of each name as bytes of `dumps`, by dialect."""


class SourceKind(Enum):
    """Language of a source file; the value is the display name."""

    TABLEGEN = "TableGen"
    CPP = "C++"
    PYTHON = "Python"
    BINDINGS = "Python bindings"
    CATALOGUE = "JSON catalogue"
    PATCH = "LLVM patch"


_SUFFIXES = {
    ".td": SourceKind.TABLEGEN,
    ".cpp": SourceKind.CPP,
    ".cc": SourceKind.CPP,
    ".cxx": SourceKind.CPP,
    ".h": SourceKind.CPP,
    ".hpp": SourceKind.CPP,
    ".py": SourceKind.PYTHON,
    ".patch": SourceKind.PATCH,
    ".diff": SourceKind.PATCH,
}
_CATALOGUE_NAME = re.compile(r"(.*\.)?tdls(-catalogue)?\.json")
_BINDINGS_NAME = re.compile(r"_\w+_ops_gen\.py")
PATTERNS = ("**/*.{td,cpp,cc,cxx,h,hpp,py,patch,diff}", "**/*.json")
"""LSP globs for files that may define operations."""


def kind_of(name: str) -> SourceKind | None:
    """Return the kind of a file by its name, or None if it cannot be a source of definitions."""
    if _CATALOGUE_NAME.fullmatch(name):
        return SourceKind.CATALOGUE
    if _BINDINGS_NAME.fullmatch(name):
        return SourceKind.BINDINGS
    return _SUFFIXES.get(name[name.rfind(".") :])


class FileDefinitions(Struct, frozen=True):
    """The definitions in one file. Several definitions of a name are its variants, in lookup order."""

    path: Path
    kind: SourceKind
    operations: tuple[OperationDefinition, ...] = ()
    types: tuple[TypeDefinition, ...] = ()
    attributes: tuple[AttributeKindDefinition, ...] = ()
    passes: tuple[PassDefinition, ...] = ()
    renames: tuple[Rename, ...] = ()


class DefiningFile(NamedTuple):
    """A file with definitions, and the number of definitions of each kind."""

    path: Path
    kind: SourceKind
    operations: int
    types: int
    attributes: int
    passes: int


class Claim(NamedTuple):
    """One of several definitions of a name: the display name of its source, and its place there if known."""

    source: str
    place: SourcePlace | None


class Conflict(NamedTuple):
    """An operation with different definitions in several sources. The first of `claims` is used."""

    name: str
    claims: tuple[Claim, ...]


class SearchedPlace(NamedTuple):
    """A searched folder or file, and the number of files with definitions of each kind in it."""

    place: Path
    counts: tuple[tuple[SourceKind, int], ...]


class ProjectDefinitions(Struct, frozen=True):
    """Result of a scan. Definitions are decoded one by one, see `KeptTable`."""

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
    """A hash of all inputs of the definitions, the same in every clone of a project."""
