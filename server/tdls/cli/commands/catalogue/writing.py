"""Where commands put the catalogues that they make."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tdls.bounds.limits import CATALOGUE_SIZE
from tdls.catalogue.documents.document import catalogue_text
from tdls.cli.console import console
from tdls.files.reading import text_of
from tdls.files.writing import NotWrittenError, write_content

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.catalogue.documents.document import CatalogueDocument


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--output`` and ``--force``."""
    output = click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to FILE.")
    force = click.option("--force", is_flag=True, help="Replace what FILE has.")
    return output(force(command))


def write_catalogue(definitions: CatalogueDocument, output: Path | None, *, force: bool) -> None:
    """Write a catalogue to a file, or to standard output. Raises InputError if that would destroy something."""
    text = catalogue_text(definitions)
    if output is None:
        console.write([text])
        return
    before = text_of(output, CATALOGUE_SIZE)
    if before == text:
        return
    if not force and (before is not None or output.exists()):
        raise console.InputError(f"{output}: has something else already; give --force to replace it")
    try:
        write_content(output, text.encode())
    except NotWrittenError as error:
        raise console.InputError(f"{output}: cannot be written: {error}") from error
    count = f"{len(definitions)} definition{'s' * (len(definitions) != 1)}"
    console.write([f"{output}: {count}\n"], to_error=True)
