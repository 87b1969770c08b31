"""What commands on catalogues take as arguments: files, projects, and what tdls ships for a version of LLVM."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tdls.analysis.checking.selection import RULE_CODES
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.documents.codec import encode
from tdls.catalogue.documents.document import CatalogueDocument, merged
from tdls.catalogue.documents.json_source import CatalogueError, load_json_catalogue
from tdls.catalogue.shipped import shipped_source
from tdls.cli.console.console import InputError
from tdls.cli.console.loading import scanned
from tdls.project.root import project_root
from tdls.project.scanning.listing import projects_for
from tdls.settings.paths import named_files
from tdls.settings.sources import load_settings
from tdls.text.numbers import integer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.catalogue.documents.codec import JsonObject
    from tdls.catalogue.model import AnyDefinition, AttributeKindDefinition, OperationDefinition, TypeDefinition

    _D = TypeVar("_D", OperationDefinition, TypeDefinition, AttributeKindDefinition)

_SHIPPED = re.compile(r"llvm-(?P<version>\d+)")


def definitions_of(argument: str, other: str) -> CatalogueDocument:
    """What `argument` stands for: a catalogue file, the folder of a project, or ``llvm-22``.

    What it is compared with, `other`, may be a catalogue in the project: it does not count as part of that.
    Raises InputError.
    """
    match = _SHIPPED.fullmatch(argument)
    if match is not None and not Path(argument).exists():
        return _shipped(integer(match["version"]) or 0)
    path = Path(argument)
    return of_project(path, besides=Path(other)) if path.is_dir() else of_file(path)


def dialects_option(verb: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option ``--dialect``; `verb` is what the command does with a definition."""
    purpose = f"{verb} only what this dialect has; may be repeated."
    return click.option("--dialect", "dialects", multiple=True, metavar="NAME", help=purpose)


def of_dialects(definitions: CatalogueDocument, dialects: tuple[str, ...]) -> CatalogueDocument:
    """The definitions of some dialects; all where none is named."""
    if not dialects:
        return definitions
    return definitions.where(lambda definition: definition.name.partition(".")[0] in dialects)


def of_file(path: Path) -> CatalogueDocument:
    """The definitions of a catalogue file. Raises InputError."""
    try:
        source = load_json_catalogue(path)
    except CatalogueError as error:
        raise InputError(str(error)) from error
    return CatalogueDocument.of(source, source.renames)


def of_project(path: Path, *, besides: Path | None = None, with_packages: bool = False) -> CatalogueDocument:
    """What the sources of the project define that the folder `path` belongs to, and the catalogues of its settings.

    `besides` is a catalogue that does not count. `with_packages` adds what the Python packages define that are
    installed. Raises InputError.
    """
    folder = path.resolve() if path.is_dir() else path.resolve().parent
    root = project_root(folder) or folder
    settings = load_settings(root, RULE_CODES).settings
    projects = [project for project in projects_for(root, settings) if with_packages or project.root is not None]
    sources = [scanned(project) for project in projects]
    found = [CatalogueDocument.of(source, source.definitions.renames) for source in sources]
    named = [file for file in named_files(settings.catalogues)[0] if besides is None or file != besides.resolve()]
    own = merged([*found, *map(of_file, named)])
    return own if besides is None else own.where(lambda definition: root / definition.source != besides.resolve())


def without_upstream(definitions: CatalogueDocument) -> CatalogueDocument:
    """What tdls does not ship. Variants of one name go together: a file that has one is asked for all of them."""
    shipped = Catalogue.shipped()
    return replace(
        definitions,
        operations=_own(definitions.operations, shipped.variants),
        types=_own(definitions.types, shipped.type_variants),
        attributes=_own(definitions.attributes, shipped.attribute_kind_variants),
    )


def _own(definitions: tuple[_D, ...], shipped: Callable[[str], tuple[_D, ...]]) -> tuple[_D, ...]:
    """The definitions of names that have one which is not shipped, be it with the documentation of the project."""
    own = {
        definition.name
        for definition in definitions
        if all(_facts(definition) != _facts(variant) for variant in shipped(definition.name))
    }
    return tuple(definition for definition in definitions if definition.name in own)


def _facts(definition: AnyDefinition) -> JsonObject:
    """What a catalogue file would say, without what is said for people."""
    return encode(replace(definition, description="", source=""))


def _shipped(version: int) -> CatalogueDocument:
    everything = CatalogueDocument.of(shipped_source())
    found = everything.where(lambda definition: version in definition.versions)
    if not found:
        versions = sorted({number for definition in everything.operations for number in definition.versions})
        known = ", ".join(f"llvm-{number}" for number in versions)
        raise InputError(f"tdls has no facts of LLVM {version}; it has {known}")
    return found
