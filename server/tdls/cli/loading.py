"""What commands read before they can work: texts and catalogues."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.cli.console import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.source import CatalogueSource

STANDARD_INPUT = "-"


def read_text(path: Path) -> str:
    """Return the text of a file with its line breaks as they are. Raises OSError, UnicodeDecodeError."""
    return path.read_bytes().decode("utf-8")


def read_argument(argument: str) -> str:
    """Return the text of the file `argument`, or of standard input for ``-``. Raises InputError."""
    try:
        if argument == STANDARD_INPUT:
            return sys.stdin.buffer.read().decode("utf-8")
        return read_text(Path(argument))
    except OSError as error:
        raise InputError(f"{argument}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{argument}: not UTF-8 text (byte {error.start})") from error


def load_catalogue(files: Iterable[Path]) -> Catalogue:
    """Return the shipped catalogue with the operations of `files` added. Raises InputError."""
    from tdls.catalogue.catalogue import Catalogue

    catalogue = Catalogue.shipped()
    for file in files:
        catalogue = catalogue.with_source(_source(file))
    return catalogue


def _source(file: Path) -> CatalogueSource:
    from tdls.catalogue.json_source import CatalogueError, load_json_catalogue

    try:
        return load_json_catalogue(file)
    except CatalogueError as error:
        raise InputError(str(error)) from error
