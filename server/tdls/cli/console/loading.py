"""What commands read before they can work: texts and catalogues."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.cli.console import progress
from tdls.cli.console.console import InputError
from tdls.files.reading import read_stream, read_text
from tdls.limits import SCRIPT_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.source import CatalogueSource
    from tdls.project.catalogue import ProjectCatalogue
    from tdls.project.scanning.listing import ScannedProject

STANDARD_INPUT = "-"


def read_argument(argument: str) -> str:
    """Return the text of the file `argument`, or of standard input for ``-``. Raises InputError."""
    try:
        if argument == STANDARD_INPUT:
            return read_stream(sys.stdin.buffer, SCRIPT_SIZE).decode("utf-8")
        return read_text(Path(argument))
    except OSError as error:
        raise InputError(f"{argument}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{argument}: not UTF-8 text (byte {error.start})") from error


def load_catalogue(files: Iterable[Path], sources: Iterable[CatalogueSource] = ()) -> Catalogue:
    """Return the shipped catalogue with the operations of `sources` and then of `files` added. Raises InputError."""
    from tdls.catalogue.catalogue import Catalogue

    catalogue = Catalogue.shipped()
    for source in (*sources, *map(_source, files)):
        catalogue = catalogue.with_source(source)
    return catalogue


def scanned(project: ScannedProject) -> ProjectCatalogue:
    """Return what `project` defines. Takes long only where something has changed since somebody asked last."""
    from tdls.project.catalogue import ProjectCatalogue
    from tdls.project.scanning.scanner import Scanner

    doing = "scanning the project" if project.root is not None else "scanning installed packages"
    progress.say(doing)
    definitions = Scanner(project).scan(partial(progress.say, doing))
    progress.say("checking")
    return ProjectCatalogue(project.root, definitions)


def _source(file: Path) -> CatalogueSource:
    from tdls.catalogue.documents import CatalogueError, load_json_catalogue

    try:
        return load_json_catalogue(file)
    except CatalogueError as error:
        raise InputError(str(error)) from error
