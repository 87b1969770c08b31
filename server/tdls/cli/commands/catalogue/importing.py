"""``tdls catalogue import``: catalogue files checked, and put into one."""

from __future__ import annotations

from pathlib import Path

import click

from tdls.catalogue.documents.document import merged
from tdls.cli.commands.catalogue.sides import of_file
from tdls.cli.commands.catalogue.writing import output_options, write_catalogue
from tdls.cli.console import console


@click.command("import", short_help="Check catalogue files and put them into one.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@output_options
def import_(files: tuple[Path, ...], output: Path | None, force: bool) -> int:
    """Check catalogue files, put them into one, and write that as tdls does: sorted, one definition a line.

    Of what several files define, the last one counts. In a project, a file called '*.tdls.json' is found by itself;
    others are named in the settings.
    """
    write_catalogue(merged(of_file(file) for file in files), output, force=force)
    return console.EXIT_CLEAN
