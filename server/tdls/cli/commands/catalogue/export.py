"""``tdls catalogue export``: what is known of a project, as a catalogue file."""

from __future__ import annotations

from pathlib import Path

import click

from tdls.catalogue.documents.document import CatalogueDocument, merged
from tdls.catalogue.shipped import shipped_source
from tdls.cli.commands.catalogue.sides import dialects_option, of_dialects, of_file, of_project, without_upstream
from tdls.cli.commands.catalogue.writing import output_options, write_catalogue
from tdls.cli.console import console
from tdls.cli.console.options import catalogue_option


@click.command("export", short_help="Write what is known of a project as a catalogue file.")
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path), metavar="[PATH]", default=".")
@click.option("--all", "everything", is_flag=True, help="Write what upstream defines and what packages define, too.")
@dialects_option("Write")
@catalogue_option
@output_options
def export(
    path: Path,
    everything: bool,
    dialects: tuple[str, ...],
    catalogues: tuple[Path, ...],
    output: Path | None,
    force: bool,
) -> int:
    """Write what tdls finds out about the project of PATH, by default the current folder, as a catalogue file.

    People who have that file need none of the project's sources. It has no places in sources, and no operation that
    tdls knows of upstream.
    """
    found = merged([of_project(path, besides=output, with_packages=everything), *map(of_file, catalogues)])
    found = merged([CatalogueDocument.of(shipped_source()), found]) if everything else without_upstream(found)
    found = of_dialects(found, dialects)
    if not found:
        raise console.InputError(
            f"{path}: no definition to write was found; 'tdls catalogue sources' says where tdls looked"
        )
    write_catalogue(found, output, force=force)
    return console.EXIT_CLEAN
