"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path

import click

catalogue_option = click.option(
    "--catalogue",
    "catalogues",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Describe more operations with a JSON catalogue; may be repeated, later files win.",
)
