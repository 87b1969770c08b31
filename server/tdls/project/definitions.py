"""What was found in the sources of a project, as plain data that can be kept and sent to other processes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
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

    KeptDefinitions: TypeAlias = Mapping[str, Mapping[str, bytes]]
    """The variants of names as bytes of `kept_values`, by dialect."""


class SourceKind(Enum):
    """What a file is written in. The value is for people."""

    TABLEGEN = "TableGen"
    CPP = "C++"
    IRDL = "IRDL"
    PYTHON = "Python"
    BINDINGS = "Python bindings"
    CATALOGUE = "JSON catalogue"


_SUFFIXES = {
    ".td": SourceKind.TABLEGEN,
    ".cpp": SourceKind.CPP,
    ".cc": SourceKind.CPP,
    ".cxx": SourceKind.CPP,
    ".h": SourceKind.CPP,
    ".hpp": SourceKind.CPP,
    ".irdl": SourceKind.IRDL,
    ".mlir": SourceKind.IRDL,
    ".py": SourceKind.PYTHON,
}
_CATALOGUE_NAME = re.compile(r"(.*\.)?tdls(-catalogue)?\.json")
_BINDINGS_NAME = re.compile(r"_\w+_ops_gen\.py")
_SIGNS = {SourceKind.IRDL: re.compile(rb"irdl\.dialect")}
"""What stands in every file that has something to say, for kinds whose reader does not look first itself."""
PATTERNS = ("**/*.{td,cpp,cc,cxx,h,hpp,irdl,py}", "**/*.json")
"""Globs, as editors understand them, for files that may define operations, scripts excepted."""


def kind_of(name: str) -> SourceKind | None:
    """Return what a file called `name` may be; None for what is no source of definitions."""
    if _CATALOGUE_NAME.fullmatch(name):
        return SourceKind.CATALOGUE
    if _BINDINGS_NAME.fullmatch(name):
        return SourceKind.BINDINGS
    return _SUFFIXES.get(name[name.rfind(".") :])


def may_define(kind: SourceKind, content: bytes) -> bool:
    """Tell by a quick look whether a file of this kind and `content` may have something to say."""
    sign = _SIGNS.get(kind)
    return sign is None or sign.search(content) is not None


def is_source(path: Path) -> bool:
    """Tell whether `path` is the name of a file that may define operations."""
    return kind_of(path.name) is not None


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
