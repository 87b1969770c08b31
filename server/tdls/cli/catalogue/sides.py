"""What commands on catalogues take as arguments: files, and what tdls ships for a version of LLVM."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tdls.catalogue.document import Definitions
from tdls.catalogue.json_source import CatalogueError, load_json_catalogue
from tdls.catalogue.shipped import shipped_source
from tdls.cli.console import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


_SHIPPED = re.compile(r"llvm-(?P<version>\d+)")


def definitions_of(argument: str) -> Definitions:
    """What `argument` stands for: a catalogue file, or ``llvm-22``. Raises InputError."""
    match = _SHIPPED.fullmatch(argument)
    if match is not None and not Path(argument).exists():
        return _shipped(int(match["version"]))
    return of_file(Path(argument))


def dialects_option(verb: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option ``--dialect``; `verb` is what the command does with a definition."""
    purpose = f"{verb} only what this dialect has; may be repeated."
    return click.option("--dialect", "dialects", multiple=True, metavar="NAME", help=purpose)


def of_dialects(definitions: Definitions, dialects: tuple[str, ...]) -> Definitions:
    """The definitions of some dialects; all where none is named."""
    if not dialects:
        return definitions
    return definitions.where(lambda definition: definition.name.partition(".")[0] in dialects)


def of_file(path: Path) -> Definitions:
    """The definitions of a catalogue file. Raises InputError."""
    try:
        source = load_json_catalogue(path)
    except CatalogueError as error:
        raise InputError(str(error)) from error
    return Definitions.of(source, source.renames)


def _shipped(version: int) -> Definitions:
    everything = Definitions.of(shipped_source())
    found = everything.where(lambda definition: version in definition.versions)
    if not found:
        versions = sorted({number for one in everything.operations for number in one.versions})
        known = ", ".join(f"llvm-{number}" for number in versions)
        raise InputError(f"tdls has no facts of LLVM {version}; it has {known}")
    return found
