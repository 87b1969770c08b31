"""Putting together what the files of a project say."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.cpp import joined, merge
from tdls.catalogue.problems import SourceProblem
from tdls.catalogue.python_modules import linked
from tdls.catalogue.tablegen import read_parsed
from tdls.files.reading import text_of
from tdls.project.cache import digest_of, readers_version
from tdls.project.catalogue import packed
from tdls.project.definitions import FileDefinitions, Look, Origin, ProjectDefinitions
from tdls.project.kinds import SourceKind
from tdls.project.listing import signature_of
from tdls.project.merging import merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, TypeDefinition
    from tdls.project.listing import Listing, Signature
    from tdls.project.reading import Reading

    _D = TypeVar("_D", OperationDefinition, TypeDefinition, AttributeKindDefinition)
_LARGEST_INCLUDE = 4_000_000
"""Bytes."""


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

    def assemble(self, listing: Listing, readings: Mapping[Path, Reading]) -> Assembly:
        """Return what `readings`, those of the files of `listing`, define together."""
        said = self._unpickled(readings)
        includes = _Includes()
        kinds = {source.path: source.kind for source in listing.sources if source.path in said}
        by_kind = {kind: {path: said[path] for path, own in kinds.items() if own is kind} for kind in SourceKind}
        problems = [SourceProblem(Path(problem.path), 0, problem.message) for problem in listing.problems]
        files = [
            *_tablegen(by_kind, listing.include_folders, includes, problems),
            *_from_readers(by_kind, problems),
        ]
        found = merged(map(self._named, files), Catalogue.shipped())
        definitions = ProjectDefinitions(
            packed(found.operations),
            packed(found.types),
            packed(found.attributes),
            tuple(rename for file in files for rename in file.renames),
            tuple(map(_origin, sorted(files, key=lambda file: file.path))),
            tuple(sorted(problems, key=lambda problem: (problem.path, problem.line, problem.message))),
            found.conflicts,
            tuple(_looks(listing, readings)),
            self._fingerprint(readings, includes.consulted),
        )
        return Assembly(definitions, includes.consulted)

    def _unpickled(self, readings: Mapping[Path, Reading]) -> dict[Path, Any]:
        kept = {(path, reading.digest): reading.pickled for path, reading in readings.items()}
        self._said = {
            key: self._said[key] if key in self._said else pickle.loads(pickled) for key, pickled in kept.items()
        }
        return {path: said for (path, _), said in self._said.items()}

    def _name(self, path: Path) -> str:
        """Return what people call a file: its path as seen from the project's folder."""
        is_inside = self._root is not None and path.is_relative_to(self._root)
        return path.relative_to(self._root).as_posix() if is_inside and self._root is not None else str(path)

    def _fingerprint(self, readings: Mapping[Path, Reading], consulted: Mapping[Path, Signature | None]) -> str:
        read = sorted((self._name(path), reading.digest) for path, reading in readings.items())
        included = sorted((self._name(path), str(signature)) for path, signature in consulted.items())
        return digest_of(repr((readers_version(), read, included)).encode())

    def _named(self, file: FileDefinitions) -> FileDefinitions:
        """Return `file` with definitions that say for people where they come from."""
        name = self._name(file.path)
        return replace(
            file,
            operations=tuple(replace(one, source=name) for one in file.operations),
            types=tuple(replace(one, source=name) for one in file.types),
            attributes=tuple(replace(one, source=name) for one in file.attributes),
        )


class _Includes:
    """Reads files that TableGen includes and that are no sources of the project; remembers which were looked for."""

    def __init__(self) -> None:
        self.consulted: dict[Path, Signature | None] = {}

    def read(self, path: Path) -> str | None:
        """Return the text of a file; None if there is none."""
        self.consulted[path] = signature_of(path)
        return text_of(path, limit=_LARGEST_INCLUDE) if self.consulted[path] is not None else None


def _tablegen(
    said: Mapping[SourceKind, Mapping[Path, Any]],
    include_folders: Sequence[Path],
    includes: _Includes,
    problems: list[SourceProblem],
) -> Iterator[FileDefinitions]:
    """Yield what TableGen files define, with the effects that C++ gives to it."""
    found = read_parsed(said[SourceKind.TABLEGEN], include_folders, includes.read)
    facts = merge(said[SourceKind.CPP].values())
    problems += found.problems
    operations: list[OperationDefinition] = []
    for operation in found.operations:
        definition, unclear = joined(operation, facts)
        operations.append(definition)
        problems += unclear
    own, types, attributes = _by_file(operations), _by_file(found.types), _by_file(found.attributes)
    for path in dict.fromkeys((*own, *types, *attributes)):
        yield FileDefinitions(
            path, SourceKind.TABLEGEN, own.get(path, ()), types.get(path, ()), attributes.get(path, ())
        )


def _by_file(definitions: Iterable[_D]) -> dict[Path, tuple[_D, ...]]:
    files: dict[Path, list[_D]] = {}
    for definition in definitions:
        if definition.defined_at is not None:
            files.setdefault(definition.defined_at.path, []).append(definition)
    return {path: tuple(found) for path, found in files.items()}


def _from_readers(
    said: Mapping[SourceKind, Mapping[Path, Any]], problems: list[SourceProblem]
) -> Iterator[FileDefinitions]:
    """Yield what files define that stand for themselves, or nearly so."""
    for kind in (SourceKind.PYTHON, SourceKind.BINDINGS):
        for module in linked(said[kind].values()):
            problems += module.problems
            yield FileDefinitions(module.path, kind, module.operations, module.types, module.attributes)
    for path, found in said[SourceKind.IRDL].items():
        problems += found.problems
        yield FileDefinitions(path, SourceKind.IRDL, found.operations, found.types, found.attributes)
    for catalogue in said[SourceKind.CATALOGUE].values():
        if isinstance(catalogue, FileDefinitions):
            yield catalogue
        else:
            problems.append(catalogue)


def _origin(file: FileDefinitions) -> Origin:
    return Origin(file.path, file.kind, len(file.operations), len(file.types), len(file.attributes))


def _looks(listing: Listing, readings: Mapping[Path, Reading]) -> Iterator[Look]:
    """Count the sources in each place that say something; those in several belong to the first."""
    counts: dict[Path, Counter[SourceKind]] = {place: Counter() for place in listing.places}
    for source in listing.sources:
        if source.path not in readings:
            continue
        place = next((place for place in listing.places if source.path.is_relative_to(place)), source.path)
        counts.setdefault(place, Counter())[source.kind] += 1
    for place, found in counts.items():
        yield Look(place, tuple((kind, found[kind]) for kind in SourceKind if found[kind]))
