"""How the output of ``tdls --check`` looks and where it goes, as the command line says it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from tdls.cli.console.options import colour_option
from tdls.cli.console.suggestions import files
from tdls.cli.rendering.registry import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

_OPTIONS = (
    click.option(
        "--format",
        "--output-format",
        "format",
        type=click.Choice(FORMATS),
        default="full",
        show_default=True,
        help="How findings look.",
    ),
    click.option(
        "-o",
        "--output-file",
        "files",
        multiple=True,
        metavar="[FORMAT=]PATH",
        shell_complete=files,
        help="Write to a file: what would go to standard output, or another format besides; may be repeated.",
    ),
    colour_option("Colour the 'full' format"),
    click.option("--statistics", is_flag=True, help="Show how often each rule found something instead of findings."),
    click.option("-q", "--quiet", is_flag=True, help="Show findings and errors only: no summary, no warnings."),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings."),
)


@dataclass(frozen=True, slots=True)
class OutputPlan:
    """What the command line asks for; `files` are as in `reports.asked_for`."""

    format: str = "full"
    files: tuple[str, ...] = ()
    colour: str = "auto"
    statistics: bool = False
    quiet: bool = False
    exit_zero: bool = False


def output_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command; their values are its parameter `output`."""

    @wraps(function)
    def with_plan(**values: Any) -> Any:
        plan = {field.name: values.pop(field.name) for field in fields(OutputPlan)}
        return function(output=OutputPlan(**plan), **values)

    command: Callable[..., Any] = with_plan
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
