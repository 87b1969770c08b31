"""Merge the readings of a project's files into one set of definitions.

The code for a language is imported only if the project has sources in it.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from tdls.caching.plain_data import loads
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import AttributeKindDefinition, OperationDefinition, PassDefinition, TypeDefinition
from tdls.catalogue.sources.work import SourceProblem
from tdls.files.boundary import boundary_of, is_inside
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
from tdls.project.inputs import SCANS, signature_of
from tdls.structs import Struct, field, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from tdls.project.inputs import Signature
    from tdls.project.scanning.listing import Listing
    from tdls.project.scanning.reading import FileReading

    _Located = TypeVar("_Located", OperationDefinition, TypeDefinition, AttributeKindDefinition, PassDefinition)

PRECEDENCE = (
    SourceKind.TABLEGEN,
    SourceKind.PYTHON,
    SourceKind.CATALOGUE,
    SourceKind.PATCH,
    SourceKind.BINDINGS,
)
"""The kinds of files with definitions, highest precedence first. Among files of a kind the first by path wins."""

_D = TypeVar("_D", bound=OperationDefinition | TypeDefinition | AttributeKindDefinition | PassDefinition)
_Claims: TypeAlias = list[tuple[tuple[_D, ...], SourceKind]]
"""The definitions of one name: the variants of each file with its kind."""
_SHIPPED = "LLVM"


class Merged(Struct, frozen=True):
    """The variants of each name, and the operations with conflicting definitions."""

    operations: dict[str, tuple[OperationDefinition, ...]]
    types: dict[str, tuple[TypeDefinition, ...]]
    attributes: dict[str, tuple[AttributeKindDefinition, ...]]
    passes: dict[str, tuple[PassDefinition, ...]]
    conflicts: tuple[Conflict, ...]


def merged(files: Iterable[FileDefinitions], shipped: Catalogue) -> Merged:
    """Choose the definitions that count for each name in `files`; `shipped` is the catalogue without the project."""
    ordered = sorted(files, key=lambda file: (PRECEDENCE.index(file.kind), file.path))
    operations = _claims((file.operations, file.kind) for file in ordered)
    counting = {
        name: _with_order(_with_shipped(claims, shipped.variants(name), _same_form), claims)
        for name, claims in operations.items()
    }
    conflicts = (_conflict(name, claims, shipped) for name, claims in sorted(operations.items()))
    return Merged(
        {name: claims for name, claims in counting.items() if claims},
        _counting(((file.types, file.kind) for file in ordered), shipped.type_variants),
        _counting(((file.attributes, file.kind) for file in ordered), shipped.attribute_kind_variants),
        _counting(((file.passes, file.kind) for file in ordered), shipped.pass_variants),
        tuple(conflict for conflict in conflicts if conflict is not None),
    )


def shape(definition: OperationDefinition) -> tuple[object, ...]:
    """Return the names and arities of operands, and the arities of results: all definitions must agree on these."""
    operands = tuple((operand.name, operand.arity) for operand in definition.operands)
    return operands, tuple(result.arity for result in definition.results)


def _claims(tables: Iterable[tuple[Sequence[_D], SourceKind]]) -> dict[str, _Claims[_D]]:
    claims: dict[str, _Claims[_D]] = {}
    for definitions, kind in tables:
        variants: dict[str, list[_D]] = {}
        for definition in definitions:
            variants.setdefault(definition.name, []).append(definition)
        for name, definitions in variants.items():
            claims.setdefault(name, []).append((tuple(definitions), kind))
    return claims


def _counting(
    tables: Iterable[tuple[Sequence[_D], SourceKind]], shipped: Callable[[str], tuple[_D, ...]]
) -> dict[str, tuple[_D, ...]]:
    claims = _claims(tables)
    by_name = {name: _with_shipped(claim, shipped(name), lambda *_: True) for name, claim in claims.items()}
    return {name: variants for name, variants in by_name.items() if variants}


def _with_shipped(claims: _Claims[_D], shipped: tuple[_D, ...], is_same: Callable[[_D, _D], bool]) -> tuple[_D, ...]:
    """Return the variants that count; none if bindings only repeat shipped definitions."""
    variants, kind = claims[0]
    if not shipped:
        return variants
    if kind is SourceKind.BINDINGS:
        return ()
    if kind is SourceKind.PATCH:
        return variants
    own = variants[0]
    same = next((variant for variant in shipped if is_same(own, variant)), None)
    if same is None:
        return (*variants, *shipped)
    return (_placed(same, own), *(variant for variant in shipped if variant is not same))


def _with_order(
    variants: tuple[OperationDefinition, ...], claims: _Claims[OperationDefinition]
) -> tuple[OperationDefinition, ...]:
    """Return `variants` with the operand order that a JSON catalogue gives for an assembly format parsed in C++."""
    orders = [
        first.operand_order for (first, *_), kind in claims if kind is SourceKind.CATALOGUE and first.operand_order
    ]
    if not orders:
        return variants
    return tuple(
        replace(variant, operand_order=orders[0]) if variant.custom_assembly and not variant.operand_order else variant
        for variant in variants
    )


def _placed(definition: _D, own: _D) -> _D:
    """Return the shipped `definition` with the description and source places of the project's `own` one."""
    if isinstance(own, PassDefinition):
        return replace(own, versions=definition.versions)
    located = replace(definition, description=own.description, defined_at=own.defined_at)
    if isinstance(located, OperationDefinition) and isinstance(own, OperationDefinition):
        return replace(located, implemented_at=own.implemented_at)
    return located


def _same_form(own: OperationDefinition, shipped: OperationDefinition) -> bool:
    """Return whether two definitions have the same shape, attributes and assembly format."""
    same_attributes = {attribute.name for attribute in own.attributes} == {
        attribute.name for attribute in shipped.attributes
    }
    return shape(own) == shape(shipped) and same_attributes and _words(own) == _words(shipped)


def _words(definition: OperationDefinition) -> list[str]:
    return (definition.assembly_format or "").split()


def _conflict(name: str, claims: _Claims[OperationDefinition], shipped: Catalogue) -> Conflict | None:
    """Return the conflict between the sources of one operation, None if they repeat the same definition."""
    own = claims[0][0][0]
    others = [definitions[0] for definitions, _ in claims[1:]]
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
    conflicting = (Claim(definition.source or _SHIPPED, definition.defined_at) for definition in (own, *differing))
    return Conflict(name, tuple(conflicting))


class Assembly(NamedTuple):
    """Merged definitions, and the consulted files that are not sources: None for those that did not exist."""

    definitions: ProjectDefinitions
    consulted: Mapping[Path, Signature | None]


class Assembler:
    """Merges the readings of one project; decoded readings are kept for the next time."""

    def __init__(self, root: Path | None) -> None:
        """`root` is the project's folder; displayed paths are relative to it."""
        self._root = root
        self._contents: dict[tuple[Path, str], Any] = {}

    def assemble(self, listing: Listing, readings: Mapping[Path, FileReading]) -> Assembly:
        """Return the merged definitions of `readings`, which are those of the files of `listing`."""
        contents = self._contents_of(readings)
        includes = _Includes(self._root, (*listing.places, *listing.include_folders))
        kinds = {source.path: source.kind for source in listing.sources if source.path in contents}
        by_kind = {kind: {path: contents[path] for path, own in kinds.items() if own is kind} for kind in SourceKind}
        gathered = _Gathered([SourceProblem(Path(problem.path), 0, problem.message) for problem in listing.problems])
        _add_tablegen(gathered, by_kind, listing.include_folders, includes)
        _add_others(gathered, by_kind)
        files = gathered.files
        joined = merged(map(self._named, files), Catalogue.shipped())
        problems = [*gathered.problems, *_unclear(gathered, joined)]
        read = sorted((self._name(path), reading.digest) for path, reading in readings.items())
        included = sorted((self._name(path), str(signature)) for path, signature in includes.consulted.items())
        definitions = ProjectDefinitions(
            packed(joined.operations),
            packed(joined.types),
            packed(joined.attributes),
            packed(joined.passes),
            tuple(rename for file in files for rename in file.renames),
            tuple(map(_defining_file, sorted(files, key=lambda file: file.path))),
            tuple(sorted(problems, key=lambda problem: (problem.path, problem.line, problem.message))),
            joined.conflicts,
            tuple(_searched_places(listing, readings, {file.path for file in files})),
            SCANS.key(repr((read, included))),
        )
        return Assembly(definitions, includes.consulted)

    def _contents_of(self, readings: Mapping[Path, FileReading]) -> dict[Path, Any]:
        kept = {(path, reading.digest): reading.content for path, reading in readings.items()}
        self._contents = {
            key: self._contents[key] if key in self._contents else loads(contents) for key, contents in kept.items()
        }
        return {path: contents for (path, _), contents in self._contents.items() if contents is not None}

    def _name(self, path: Path) -> str:
        """Return the display name of a file: its path relative to the project's folder."""
        is_inside = self._root is not None and path.is_relative_to(self._root)
        return path.relative_to(self._root).as_posix() if is_inside and self._root is not None else str(path)

    def _named(self, file: FileDefinitions) -> FileDefinitions:
        """Return `file` with the display name of the file as the source of its definitions."""
        name = self._name(file.path)
        return replace(
            file,
            operations=tuple(replace(definition, source=name) for definition in file.operations),
            types=tuple(replace(definition, source=name) for definition in file.types),
            attributes=tuple(replace(definition, source=name) for definition in file.attributes),
            passes=tuple(replace(definition, source=name) for definition in file.passes),
        )


class _Includes:
    """Reads files that TableGen includes and that are not sources of the project; records all paths looked up."""

    def __init__(self, root: Path | None, folders: Iterable[Path]) -> None:
        """`root` is the project's folder. Of files outside of its repository, only those in `folders` are read."""
        self._boundary = boundary_of(root) if root is not None else None
        others = (Path(os.path.normpath(folder)) for folder in dict.fromkeys(folders) if not self._is_inside(folder))
        self._others = tuple(others)
        self.consulted: dict[Path, Signature | None] = {}

    def _is_inside(self, path: Path) -> bool:
        return self._boundary is not None and is_inside(self._boundary, path)

    def read(self, path: Path) -> str | None:
        """Return the text of a file, or None if it does not exist or may not be read."""
        normal = Path(os.path.normpath(path))
        if not (any(normal.is_relative_to(folder) for folder in self._others) or self._is_inside(path)):
            return None
        self.consulted[path] = signature_of(path)
        return text_of(path, SOURCE_SIZE) if self.consulted[path] is not None else None


class _Gathered(Struct):
    """Definitions collected from the files of a project, and problems with reading them."""

    problems: list[SourceProblem]
    files: list[FileDefinitions] = field(default_factory=list)
    unclear: dict[str, tuple[SourceProblem, ...]] = field(default_factory=dict)
    """Reasons for unknown effects, by operation."""


def _add_tablegen(
    gathered: _Gathered,
    contents: Mapping[SourceKind, Mapping[Path, Any]],
    include_folders: Sequence[Path],
    includes: _Includes,
) -> None:
    """Add the definitions of TableGen files, with the effects that C++ files declare for them."""
    if not contents[SourceKind.TABLEGEN] and not contents[SourceKind.CPP]:
        return
    from tdls.catalogue.sources.cpp import joined, merge
    from tdls.catalogue.sources.tablegen import read_parsed

    parsed = read_parsed(contents[SourceKind.TABLEGEN], include_folders, includes.read)
    facts = merge(contents[SourceKind.CPP].values())
    gathered.problems += parsed.problems
    operations: list[OperationDefinition] = []
    for operation in parsed.operations:
        definition, unclear = joined(operation, facts)
        operations.append(definition)
        gathered.unclear[definition.name] = unclear
    own, types, attributes = _by_file(operations), _by_file(parsed.types), _by_file(parsed.attributes)
    passes = _by_file(parsed.passes)
    for path in dict.fromkeys((*own, *types, *attributes, *passes)):
        tables = own.get(path, ()), types.get(path, ()), attributes.get(path, ()), passes.get(path, ())
        gathered.files.append(FileDefinitions(path, SourceKind.TABLEGEN, *tables))


def _unclear(gathered: _Gathered, definitions: Merged) -> Iterator[SourceProblem]:
    """Yield the reasons for unknown effects, except for upstream operations, whose effects tdls ships."""
    for name, problems in gathered.unclear.items():
        if not definitions.operations[name][0].versions:
            yield from problems


def _by_file(definitions: Iterable[_Located]) -> dict[Path, tuple[_Located, ...]]:
    files: dict[Path, list[_Located]] = {}
    for definition in definitions:
        if definition.defined_at is not None:
            files.setdefault(definition.defined_at.path, []).append(definition)
    return {path: tuple(located) for path, located in files.items()}


def _add_others(gathered: _Gathered, contents: Mapping[SourceKind, Mapping[Path, Any]]) -> None:
    """Add the definitions of Python files, patches and JSON files, which depend on few or no other files."""
    for kind in (SourceKind.PYTHON, SourceKind.BINDINGS):
        if contents[kind]:
            modules = contents[kind].values()
            from tdls.catalogue.sources.python_modules import linked

            for module in linked(modules):
                gathered.problems += module.problems
                tables = module.operations, module.types, module.attributes
                if any(tables) or module.problems:
                    gathered.files.append(FileDefinitions(module.path, kind, *tables))
    for path, names in contents[SourceKind.PATCH].items():
        from tdls.catalogue.sources.patches import patched_operations

        patched = tuple(patched_operations(names, Catalogue.shipped()))
        gathered.files.append(FileDefinitions(path, SourceKind.PATCH, patched))
    for catalogue in contents[SourceKind.CATALOGUE].values():
        (gathered.files if isinstance(catalogue, FileDefinitions) else gathered.problems).append(catalogue)


def _defining_file(file: FileDefinitions) -> DefiningFile:
    tables = file.operations, file.types, file.attributes, file.passes
    return DefiningFile(file.path, file.kind, *map(len, tables))


def _searched_places(
    listing: Listing, readings: Mapping[Path, FileReading], defining: Container[Path]
) -> Iterator[SearchedPlace]:
    """Count the sources with definitions in each place; a source in several places counts for the first.

    Python files are read that may only help to define operations; those that are not `defining` do not count.
    """
    counts: dict[Path, Counter[SourceKind]] = {place: Counter() for place in listing.places}
    for source in listing.sources:
        if source.path not in readings or (source.kind is SourceKind.PYTHON and source.path not in defining):
            continue
        place = next((place for place in listing.places if source.path.is_relative_to(place)), source.path)
        counts.setdefault(place, Counter())[source.kind] += 1
    for place, by_kind in counts.items():
        yield SearchedPlace(place, tuple((kind, by_kind[kind]) for kind in SourceKind if by_kind[kind]))
