"""``tdls catalogue list``: the names of operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tdls.cli.checking.configured import catalogue_here
from tdls.cli.console import console
from tdls.cli.console.options import catalogue_option

if TYPE_CHECKING:
    from pathlib import Path


@click.command("list")
@click.option("--dialect", metavar="NAME", help="Only operations of this dialect.")
@catalogue_option
def list_(dialect: str | None, catalogues: tuple[Path, ...]) -> int:
    """List the names of all operations."""
    catalogue = catalogue_here(catalogues)
    if dialect is not None and dialect not in catalogue.dialects():
        raise console.InputError(f"no operation of the dialect '{dialect}' is known")
    console.write_lines(catalogue.operation_names(dialect))
    return console.EXIT_CLEAN
