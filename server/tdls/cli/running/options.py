"""The options of commands that run scripts: what is run, on what, by what, and what it may take."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tdls.cli.console.suggestions import files

if TYPE_CHECKING:
    from collections.abc import Callable


_PROCESS_OPTIONS = (
    click.option(
        "--python",
        metavar="PATH",
        shell_complete=files,
        help="A Python interpreter that has MLIR's bindings installed.",
    ),
    click.option(
        "--timeout", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Seconds that a run may take; 30."
    ),
    click.option(
        "--memory", type=click.IntRange(min=1), metavar="MIB", help="Memory that a run may take (Linux); 4096."
    ),
)


@dataclass(frozen=True, slots=True)
class RunWishes:
    """What the command line says of a run; None and () where it says nothing."""

    payload: Path | None
    entry_point: str | None
    libraries: tuple[Path, ...]
    part: int | None
    backend: str | None
    python: str | None
    timeout: float | None
    memory: int | None


def process_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what a process is that runs something: the parameters `python`, `timeout` and `memory` of `command`."""
    for option in reversed(_PROCESS_OPTIONS):
        command = option(command)
    return command


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options, which are the parameter `wishes` of `command`."""

    @click.option("--payload", type=click.Path(path_type=Path), metavar="FILE", help="Apply the script to this file.")
    @click.option(
        "--entry-point",
        metavar="NAME",
        help="Where to begin; else with @__transform_main, or with the only entry point there is.",
    )
    @click.option(
        "--library",
        "libraries",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="PATH",
        help="A file, or a folder of files, with named sequences that the script includes; may be repeated.",
    )
    @click.option(
        "--part", type=click.IntRange(min=1), metavar="N", help="Run only part N of a file that '// -----' separates."
    )
    @click.option(
        "--backend",
        metavar="NAME",
        help="'bindings', 'bindings:PACKAGE', or a tool that takes the options of mlir-opt; see 'tdls doctor'.",
    )
    @process_options
    @wraps(command)
    def wrapped(**arguments: Any) -> Any:
        wishes = RunWishes(**{name: arguments.pop(name) for name in RunWishes.__slots__})
        return command(wishes=wishes, **arguments)

    return wrapped
