"""Putting together what the files of a project say. What knows a language is imported if something is said in it."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from tdls.caching import user_cache
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.sources.work import SourceProblem
from tdls.files.boundary import is_inside
from tdls.files.reading import text_of
from tdls.limits import SOURCE_SIZE
from tdls.project.catalogue import packed
from tdls.project.definitions import DefiningFile, FileDefinitions, ProjectDefinitions, SearchedPlace
from tdls.project.kinds import SourceKind
from tdls.project.scanning.basis import SCANS
from tdls.project.scanning.listing import signature_of
from tdls.project.scanning.merging import merged
from tdls.settings.paths import boundary_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, PassDefinition, TypeDefinition
    from tdls.project.scanning.listing import Listing, Signature
    from tdls.project.scanning.merging import Merged
    from tdls.project.scanning.reading import FileReading

    _D = TypeVar("_D", OperationDefinition, TypeDefinition, AttributeKindDefinition, PassDefinition)
_IRDL_NAMES = (".irdl", ".irdl.mlir")
"""What is wrong with other scripts that have a dialect in them is found when they are checked."""


class Assembly(NamedTuple):
    """What was put together, and the files besides the sources that were looked for: None for those not there."""

    definitions: ProjectDefinitions
    consulted: Mapping[Path, Signature | None]


class Assembler:
    """Puts the readings of one project together, again and again."""

    def __init__(self, root: Path | None) -> None:
        """`root` is the project's folder; files are named as seen from there."""
        self._root = root
        self._said: dict[tuple[Path, str], Any] = {}

    def assemble(self, listing: Listing, readings: Mapping[Path, FileReading]) -> Assembly:
        """Return what `readings`, those of the files of `listing`, define together."""
        said = self._said_by(readings)
        includes = _Includes(self._root, (*listing.places, *listing.include_folders))
        kinds = {source.path: source.kind for source in listing.sources if source.path in said}
        by_kind = {kind: {path: said[path] for path, own in kinds.items() if own is kind} for kind in SourceKind}
        together = _Gathered([SourceProblem(Path(problem.path), 0, problem.message) for problem in listing.problems])
        _add_tablegen(together, by_kind, listing.include_folders, includes)
        _add_others(together, by_kind)
        files = together.files
        found = merged(map(self._named, files), Catalogue.shipped())
        problems = [*together.problems, *_unclear(together, found)]
        definitions = ProjectDefinitions(
            packed(found.operations),
            packed(found.types),
            packed(found.attributes),
            packed(found.passes),
            tuple(rename for file in files for rename in file.renames),
            tuple(map(_defining_file, sorted(files, key=lambda file: file.path))),
            tuple(sorted(problems, key=lambda problem: (problem.path, problem.line, problem.message))),
            found.conflicts,
            tuple(_searched_places(listing, readings)),
            self._fingerprint(readings, includes.consulted),
        )
        return Assembly(definitions, includes.consulted)

    def _said_by(self, readings: Mapping[Path, FileReading]) -> dict[Path, Any]:
        kept = {(path, reading.digest): reading.said for path, reading in readings.items()}
        self._said = {
            key: self._said[key] if key in self._said else user_cache.loads(said) for key, said in kept.items()
        }
        return {path: said for (path, _), said in self._said.items()}

    def _name(self, path: Path) -> str:
        """Return what people call a file: its path as seen from the project's folder."""
        is_inside = self._root is not None and path.is_relative_to(self._root)
        return path.relative_to(self._root).as_posix() if is_inside and self._root is not None else str(path)

    def _fingerprint(self, readings: Mapping[Path, FileReading], consulted: Mapping[Path, Signature | None]) -> str:
        read = sorted((self._name(path), reading.digest) for path, reading in readings.items())
        included = sorted((self._name(path), str(signature)) for path, signature in consulted.items())
        return SCANS.key(repr((read, included)))

    def _named(self, file: FileDefinitions) -> FileDefinitions:
        """Return `file` with definitions that say for people where they come from."""
        name = self._name(file.path)
        return replace(
            file,
            operations=tuple(replace(definition, source=name) for definition in file.operations),
            types=tuple(replace(definition, source=name) for definition in file.types),
            attributes=tuple(replace(definition, source=name) for definition in file.attributes),
            passes=tuple(replace(definition, source=name) for definition in file.passes),
        )


class _Includes:
    """Reads files that TableGen includes and that are no sources of the project; remembers which were looked for."""

    def __init__(self, root: Path | None, folders: Iterable[Path]) -> None:
        """`root` is the project's folder. Of files outside of its repository those in `folders` are read alone."""
        self._boundary = boundary_of(root) if root is not None else None
        others = (Path(os.path.normpath(folder)) for folder in dict.fromkeys(folders) if not self._is_inside(folder))
        self._others = tuple(others)
        self.consulted: dict[Path, Signature | None] = {}

    def _is_inside(self, path: Path) -> bool:
        return self._boundary is not None and is_inside(self._boundary, path)

    def read(self, path: Path) -> str | None:
        """Return the text of a file; None if there is none."""
        if not (any(path.is_relative_to(folder) for folder in self._others) or self._is_inside(path)):
            return None
        self.consulted[path] = signature_of(path)
        return text_of(path, SOURCE_SIZE) if self.consulted[path] is not None else None


@dataclass
class _Gathered:
    """What the files of a project say, and what of it was not understood."""

    problems: list[SourceProblem]
    files: list[FileDefinitions] = field(default_factory=list)
    unclear: dict[str, tuple[SourceProblem, ...]] = field(default_factory=dict)
    """Why effects are unknown, by operation."""


def _add_tablegen(
    together: _Gathered,
    said: Mapping[SourceKind, Mapping[Path, Any]],
    include_folders: Sequence[Path],
    includes: _Includes,
) -> None:
    """Add what TableGen files define, with the effects that C++ gives to it."""
    if not said[SourceKind.TABLEGEN] and not said[SourceKind.CPP]:
        return
    from tdls.catalogue.sources.cpp import joined, merge
    from tdls.catalogue.sources.tablegen import read_parsed

    found = read_parsed(said[SourceKind.TABLEGEN], include_folders, includes.read)
    facts = merge(said[SourceKind.CPP].values())
    together.problems += found.problems
    together.problems += (problem for file in said[SourceKind.CPP].values() for problem in file.problems)
    operations: list[OperationDefinition] = []
    for operation in found.operations:
        definition, unclear = joined(operation, facts)
        operations.append(definition)
        together.unclear[definition.name] = unclear
    own, types, attributes = _by_file(operations), _by_file(found.types), _by_file(found.attributes)
    passes = _by_file(found.passes)
    for path in dict.fromkeys((*own, *types, *attributes, *passes)):
        tables = own.get(path, ()), types.get(path, ()), attributes.get(path, ()), passes.get(path, ())
        together.files.append(FileDefinitions(path, SourceKind.TABLEGEN, *tables))


def _unclear(together: _Gathered, found: Merged) -> Iterator[SourceProblem]:
    """Yield why effects are unknown, but for operations of upstream, whose effects tdls knows without the C++."""
    for name, problems in together.unclear.items():
        if not found.operations[name][0].versions:
            yield from problems


def _by_file(definitions: Iterable[_D]) -> dict[Path, tuple[_D, ...]]:
    files: dict[Path, list[_D]] = {}
    for definition in definitions:
        if definition.defined_at is not None:
            files.setdefault(definition.defined_at.path, []).append(definition)
    return {path: tuple(found) for path, found in files.items()}


def _add_others(together: _Gathered, said: Mapping[SourceKind, Mapping[Path, Any]]) -> None:
    """Add what files define that stand for themselves, or nearly so."""
    for kind in (SourceKind.PYTHON, SourceKind.BINDINGS):
        if said[kind]:
            _add_modules(together, kind, said[kind].values())
    for path, found in said[SourceKind.IRDL].items():
        together.problems += found.problems if path.name.endswith(_IRDL_NAMES) else ()
        together.files.append(FileDefinitions(path, SourceKind.IRDL, found.operations, found.types, found.attributes))
    for catalogue in said[SourceKind.CATALOGUE].values():
        (together.files if isinstance(catalogue, FileDefinitions) else together.problems).append(catalogue)


def _add_modules(together: _Gathered, kind: SourceKind, modules: Iterable[Any]) -> None:
    """Add what Python modules define together."""
    from tdls.catalogue.sources.python_modules import linked

    for module in linked(modules):
        together.problems += module.problems
        together.files.append(FileDefinitions(module.path, kind, module.operations, module.types, module.attributes))


def _defining_file(file: FileDefinitions) -> DefiningFile:
    tables = file.operations, file.types, file.attributes, file.passes
    return DefiningFile(file.path, file.kind, *map(len, tables))


def _searched_places(listing: Listing, readings: Mapping[Path, FileReading]) -> Iterator[SearchedPlace]:
    """Count the sources in each place that say something; those in several belong to the first."""
    counts: dict[Path, Counter[SourceKind]] = {place: Counter() for place in listing.places}
    for source in listing.sources:
        if source.path not in readings:
            continue
        place = next((place for place in listing.places if source.path.is_relative_to(place)), source.path)
        counts.setdefault(place, Counter())[source.kind] += 1
    for place, found in counts.items():
        yield SearchedPlace(place, tuple((kind, found[kind]) for kind in SourceKind if found[kind]))
