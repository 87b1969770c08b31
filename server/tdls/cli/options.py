"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

catalogue_option = click.option(
    "--catalogue",
    "catalogues",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Describe more operations with a JSON catalogue; may be repeated, later files win.",
)


def colour_option(purpose: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option ``--color``, whose value is the parameter `colour`; `purpose` says what is coloured."""
    return click.option(
        "--color",
        "colour",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help=f"{purpose}; 'auto' asks the terminal and NO_COLOR.",
    )
