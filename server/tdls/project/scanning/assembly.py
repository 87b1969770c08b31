"""Putting together what the files of a project say. What knows a language is imported if something is said in it."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from tdls.caching import user_cache
from tdls.caching.basis import Basis
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, PassDefinition, TypeDefinition
from tdls.catalogue.sources.work import SourceProblem
from tdls.files.boundary import is_inside
from tdls.files.reading import text_of
from tdls.limits import SOURCE_SIZE
from tdls.project.catalogue import packed
from tdls.project.definitions import (
    Claim,
    Conflict,
    DefiningFile,
    FileDefinitions,
    ProjectDefinitions,
    SearchedPlace,
    SourceKind,
)
from tdls.project.scanning.listing import signature_of
from tdls.settings.paths import boundary_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tdls.project.scanning.listing import Listing, Signature
    from tdls.project.scanning.reading import FileReading

    _Located = TypeVar("_Located", OperationDefinition, TypeDefinition, AttributeKindDefinition, PassDefinition)

_READERS = (
    "limits.py",
    "caching",
    "catalogue",
    "files",
    "grammar",
    "grammars.py",
    "project",
    "settings",
    "syntax",
    "system.py",
    "text",
)
"""All that lists sources, reads them, and puts together what they say; IRDL is read by the parser of scripts."""
SCANS = Basis("project", _READERS)
READINGS = Basis("project-sources", _READERS)

PRECEDENCE = (
    SourceKind.TABLEGEN,
    SourceKind.IRDL,
    SourceKind.PYTHON,
    SourceKind.CATALOGUE,
    SourceKind.BINDINGS,
)
"""The kinds of files with definitions, the one that wins first. Among files of a kind the first by path wins."""

_D = TypeVar("_D", bound=OperationDefinition | TypeDefinition | AttributeKindDefinition | PassDefinition)
_Claims: TypeAlias = list[tuple[tuple[_D, ...], SourceKind]]
"""The definitions of one name, a tuple of variants for each file."""
_SHIPPED = "LLVM"


@dataclass(frozen=True, slots=True)
class Merged:
    """The variants of each name, and the operations that sources do not agree about."""

    operations: dict[str, tuple[OperationDefinition, ...]]
    types: dict[str, tuple[TypeDefinition, ...]]
    attributes: dict[str, tuple[AttributeKindDefinition, ...]]
    passes: dict[str, tuple[PassDefinition, ...]]
    conflicts: tuple[Conflict, ...]


def merged(files: Iterable[FileDefinitions], shipped: Catalogue) -> Merged:
    """Decide for each name in `files` which definitions count; `shipped` is what is known without them."""
    ordered = sorted(files, key=lambda file: (PRECEDENCE.index(file.kind), file.path))
    operations = _claims((file.operations, file.kind) for file in ordered)
    counting = {
        name: _with_order(_with_shipped(found, shipped.variants(name), _same_form), found)
        for name, found in operations.items()
    }
    conflicts = (_conflict(name, found, shipped) for name, found in sorted(operations.items()))
    return Merged(
        {name: found for name, found in counting.items() if found},
        _counting(((file.types, file.kind) for file in ordered), shipped.type_variants),
        _counting(((file.attributes, file.kind) for file in ordered), shipped.attribute_kind_variants),
        _counting(((file.passes, file.kind) for file in ordered), shipped.pass_variants),
        tuple(conflict for conflict in conflicts if conflict is not None),
    )


def shape(definition: OperationDefinition) -> tuple[object, ...]:
    """Return what definitions of one operation must agree about, whoever writes them."""
    operands = tuple((operand.name, operand.arity) for operand in definition.operands)
    return operands, tuple(result.arity for result in definition.results)


def _claims(tables: Iterable[tuple[Sequence[_D], SourceKind]]) -> dict[str, _Claims[_D]]:
    claims: dict[str, _Claims[_D]] = {}
    for definitions, kind in tables:
        variants: dict[str, list[_D]] = {}
        for definition in definitions:
            variants.setdefault(definition.name, []).append(definition)
        for name, found in variants.items():
            claims.setdefault(name, []).append((tuple(found), kind))
    return claims


def _counting(
    tables: Iterable[tuple[Sequence[_D], SourceKind]], shipped: Callable[[str], tuple[_D, ...]]
) -> dict[str, tuple[_D, ...]]:
    claims = _claims(tables)
    found = {name: _with_shipped(claim, shipped(name), lambda *_: True) for name, claim in claims.items()}
    return {name: variants for name, variants in found.items() if variants}


def _with_shipped(claims: _Claims[_D], shipped: tuple[_D, ...], is_same: Callable[[_D, _D], bool]) -> tuple[_D, ...]:
    """Return the variants that count; none where bindings only repeat what is shipped."""
    variants, kind = claims[0]
    if not shipped:
        return variants
    if kind is SourceKind.BINDINGS:
        return ()
    own = variants[0]
    same = next((variant for variant in shipped if is_same(own, variant)), None)
    if same is None:
        return (*variants, *shipped)
    return (_placed(same, own), *(variant for variant in shipped if variant is not same))


def _with_order(
    variants: tuple[OperationDefinition, ...], claims: _Claims[OperationDefinition]
) -> tuple[OperationDefinition, ...]:
    """Return `variants` with the order of operands that a catalogue file says of a form that C++ parses."""
    said = [found[0].operand_order for found, kind in claims if kind is SourceKind.CATALOGUE and found[0].operand_order]
    if not said:
        return variants
    return tuple(
        replace(variant, operand_order=said[0]) if variant.custom_assembly and not variant.operand_order else variant
        for variant in variants
    )


def _placed(definition: _D, own: _D) -> _D:
    """Return the shipped `definition` with what only the project's `own` one has."""
    if isinstance(own, PassDefinition):
        return replace(own, versions=definition.versions)
    found = replace(definition, description=own.description, defined_at=own.defined_at)
    if isinstance(found, OperationDefinition) and isinstance(own, OperationDefinition):
        return replace(found, implemented_at=own.implemented_at)
    return found


def _same_form(own: OperationDefinition, shipped: OperationDefinition) -> bool:
    """Tell whether two definitions describe operations that are written and used in the same way."""
    same_attributes = {attribute.name for attribute in own.attributes} == {
        attribute.name for attribute in shipped.attributes
    }
    return shape(own) == shape(shipped) and same_attributes and _words(own) == _words(shipped)


def _words(definition: OperationDefinition) -> list[str]:
    return (definition.assembly_format or "").split()


def _conflict(name: str, claims: _Claims[OperationDefinition], shipped: Catalogue) -> Conflict | None:
    """Return what sources do not agree about; repetitions of the same definition are none."""
    own = claims[0][0][0]
    others = [found[0] for found, _ in claims[1:]]
    differing = [
        other
        for other in others
        if shape(other) != shape(own) and not (bool(other.operand_order) and not other.operands and not other.results)
    ]
    known = shipped.variants(name)
    is_bindings = claims[0][1] is SourceKind.BINDINGS
    if known and not is_bindings and all(shape(variant) != shape(own) for variant in known):
        differing.append(known[0])
    if not differing:
        return None
    return Conflict(name, tuple(map(_claim, (own, *differing))))


def _claim(definition: OperationDefinition) -> Claim:
    return Claim(definition.source or _SHIPPED, definition.defined_at)


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


def _by_file(definitions: Iterable[_Located]) -> dict[Path, tuple[_Located, ...]]:
    files: dict[Path, list[_Located]] = {}
    for definition in definitions:
        if definition.defined_at is not None:
            files.setdefault(definition.defined_at.path, []).append(definition)
    return {path: tuple(found) for path, found in files.items()}


def _add_others(together: _Gathered, said: Mapping[SourceKind, Mapping[Path, Any]]) -> None:
    """Add what files define that stand for themselves, or nearly so."""
    for kind in (SourceKind.PYTHON, SourceKind.BINDINGS):
        if said[kind]:
            modules = said[kind].values()
            from tdls.catalogue.sources.python_modules import linked

            for module in linked(modules):
                together.problems += module.problems
                together.files.append(
                    FileDefinitions(module.path, kind, module.operations, module.types, module.attributes)
                )
    for path, found in said[SourceKind.IRDL].items():
        together.problems += found.problems if path.name.endswith(_IRDL_NAMES) else ()
        together.files.append(FileDefinitions(path, SourceKind.IRDL, found.operations, found.types, found.attributes))
    for catalogue in said[SourceKind.CATALOGUE].values():
        (together.files if isinstance(catalogue, FileDefinitions) else together.problems).append(catalogue)


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
