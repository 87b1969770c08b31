"""``tdls catalogue export``, ``import`` and ``list``: writes a project's definitions as a file, merges such files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.documents import (
    CatalogueDocument,
    CatalogueError,
    catalogue_text,
    encode,
    load_json_catalogue,
    merged,
)
from tdls.catalogue.shipped import shipped_source
from tdls.cli.checking.configurations import catalogue_here
from tdls.cli.console import console
from tdls.cli.console.loading import scanned
from tdls.cli.console.options import JSON, catalogue_option, format_option
from tdls.cli.rendering.json_text import json_text
from tdls.files.boundary import real_path
from tdls.files.reading import text_of
from tdls.files.writing import NotWrittenError, write_content
from tdls.limits import CATALOGUE_SIZE
from tdls.project.inputs import projects_for
from tdls.project.root import project_root
from tdls.settings.paths import named_files
from tdls.settings.rule_codes import RULE_CODES
from tdls.settings.sources import load_settings
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.catalogue.documents import JsonObject
    from tdls.catalogue.model import AnyDefinition, AttributeKindDefinition, OperationDefinition, TypeDefinition

    _D = TypeVar("_D", OperationDefinition, TypeDefinition, AttributeKindDefinition)


def _output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    output = click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to FILE.")
    force = click.option("--force", is_flag=True, help="Replace what FILE has.")
    return output(force(command))


@click.command("export", short_help="Write what is known of a project as a catalogue file.")
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path), metavar="[PATH]", default=".")
@click.option("--all", "everything", is_flag=True, help="Write what upstream defines and what packages define, too.")
@click.option(
    "--dialect", "dialects", multiple=True, metavar="NAME", help="Write only what this dialect has; may be repeated."
)
@catalogue_option
@_output_options
def export(
    path: Path,
    everything: bool,
    dialects: tuple[str, ...],
    catalogues: tuple[Path, ...],
    output: Path | None,
    force: bool,
) -> int:
    """Write the definitions in the project of PATH, by default the current folder, as a catalogue file.

    Users of that file need none of the project's sources. It has no places in sources, and no operation that
    tdls knows of upstream.
    """
    found = merged([_of_project(path, output, with_packages=everything), *map(_of_file, catalogues)])
    found = merged([CatalogueDocument.of(shipped_source()), found]) if everything else _without_upstream(found)
    if dialects:
        found = found.where(lambda definition: definition.name.partition(".")[0] in dialects)
    if not found:
        raise console.InputError(
            f"{path}: no definition to write was found; 'tdls catalogue sources' says where tdls looked"
        )
    _write(found, output, force=force)
    return console.EXIT_CLEAN


@click.command("import", short_help="Check catalogue files and put them into one.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@_output_options
def import_(files: tuple[Path, ...], output: Path | None, force: bool) -> int:
    """Check catalogue files, put them into one, and write that as tdls does: sorted, one definition a line.

    Of several definitions of a name, the last one counts. In a project, a file called '*.tdls.json' is found by itself;
    others are named in the settings.
    """
    _write(merged(_of_file(file) for file in files), output, force=force)
    return console.EXIT_CLEAN


def _of_file(path: Path) -> CatalogueDocument:
    """Return the definitions of a catalogue file. Raises InputError."""
    try:
        source = load_json_catalogue(path)
    except CatalogueError as error:
        raise console.InputError(str(error)) from error
    return CatalogueDocument.of(source, source.renames)


def _of_project(path: Path, output: Path | None, *, with_packages: bool) -> CatalogueDocument:
    """Return the definitions in the sources of the project of `path`, and in the catalogues of its settings.

    The file to write, `output`, does not count: it would keep definitions that are gone from the sources.
    `with_packages` adds the definitions of installed Python packages. Raises InputError.
    """
    folder = real_path(path) if os.path.isdir(path) else real_path(path).parent
    root = project_root(folder) or folder
    settings = load_settings(root, RULE_CODES).settings
    projects = [project for project in projects_for(root, settings) if with_packages or project.root is not None]
    sources = [scanned(project) for project in projects]
    found = [CatalogueDocument.of(source, source.definitions.renames) for source in sources]
    written = real_path(output) if output is not None else None
    named = [file for file in named_files(settings.catalogues)[0] if file != written]
    return merged([*found, *map(_of_file, named)]).where(lambda definition: root / definition.source != written)


def _without_upstream(definitions: CatalogueDocument) -> CatalogueDocument:
    """Return the definitions that tdls does not ship. Variants of one name stay together: a file with one has all."""
    shipped = Catalogue.shipped()
    return replace(
        definitions,
        operations=_own(definitions.operations, shipped.variants),
        types=_own(definitions.types, shipped.type_variants),
        attributes=_own(definitions.attributes, shipped.attribute_kind_variants),
    )


def _own(definitions: tuple[_D, ...], shipped: Callable[[str], tuple[_D, ...]]) -> tuple[_D, ...]:
    """Return the definitions of names with a variant that is not shipped; documentation alone makes no difference."""
    own = {
        definition.name
        for definition in definitions
        if all(_facts(definition) != _facts(variant) for variant in shipped(definition.name))
    }
    return tuple(definition for definition in definitions if definition.name in own)


def _facts(definition: AnyDefinition) -> JsonObject:
    return encode(replace(definition, description="", source=""))


def _write(definitions: CatalogueDocument, output: Path | None, *, force: bool) -> None:
    """Write a catalogue to a file, or to standard output. Raises InputError if that would destroy something."""
    text = catalogue_text(definitions)
    if output is None:
        console.write([text])
        return
    before = text_of(output, CATALOGUE_SIZE)
    if before == text:
        return
    if not force and (before is not None or os.path.exists(output)):
        raise console.InputError(f"{output}: has something else already; give --force to replace it")
    try:
        write_content(output, text.encode())
    except NotWrittenError as error:
        raise console.InputError(f"{output}: cannot be written: {error}") from error
    count = f"{len(definitions)} definition{'s' * (len(definitions) != 1)}"
    console.write([f"{output}: {count}\n"], to_error=True)


@click.command("list")
@click.option("--dialect", metavar="NAME", help="Only operations of this dialect.")
@format_option
@catalogue_option
def list_(dialect: str | None, format_: str, catalogues: tuple[Path, ...]) -> int:
    """List the names of all operations."""
    catalogue = catalogue_here(catalogues)
    if dialect is not None and dialect not in catalogue.dialects():
        raise console.InputError(f"no operation of the dialect '{dialect}' is known")
    names = catalogue.operation_names(dialect)
    if format_ == JSON:
        console.write([json_text({"operations": list(names)}, indent=2), "\n"])
    else:
        console.write_lines(names)
    return console.EXIT_CLEAN
