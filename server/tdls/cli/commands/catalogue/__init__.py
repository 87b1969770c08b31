"""``tdls catalogue``: shows definitions of operations, and their sources."""

from __future__ import annotations

import click

from tdls.cli.commands.catalogue.show import list_, search, show
from tdls.cli.commands.catalogue.sources import sources


@click.group("catalogue")
def command() -> None:
    """Show the known operations."""


for _subcommand in (show, search, list_, sources):
    command.add_command(_subcommand)
