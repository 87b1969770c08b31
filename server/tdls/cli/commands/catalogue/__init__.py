"""``tdls catalogue``: shows definitions of operations and their sources, writes and merges catalogue files."""

from __future__ import annotations

import click

from tdls.cli.commands.catalogue.exchange import export, import_, list_
from tdls.cli.commands.catalogue.show import search, show
from tdls.cli.commands.catalogue.sources import sources


@click.group("catalogue")
def command() -> None:
    """Show the known operations, and handle catalogue files."""


for _subcommand in (show, search, list_, sources, export, import_):
    command.add_command(_subcommand)
