"""``tdls check-python``: the options, as a `ProgramCheck`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tdls.cli.checking.file import CheckSettings
from tdls.cli.checking.options import output_options
from tdls.cli.console.options import (
    catalogue_option,
    configuration_options,
    files,
    process_options,
    selection_options,
    target_option,
    trust_option,
)
from tdls.structs import replace

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.cli.checking.reports import OutputPlan
    from tdls.settings.consent import Trust
    from tdls.settings.model import RuleSelection
    from tdls.settings.sources import Overrides


@click.command("check-python")
@click.argument("entry", required=False, metavar="[ENTRY]", shell_complete=files)
@click.argument("arguments", nargs=-1, metavar="[-- ARGS...]")
@output_options
@click.option("--error-on-warning", is_flag=True, help="Report warnings as errors.")
@selection_options
@click.option("--possible", is_flag=True, help="Also report what is only possible, which editors show as hints.")
@click.option(
    "--print-script",
    "prints",
    is_flag=True,
    help="Print the scripts that are built, with the lines that made each operation, in place of findings.",
)
@process_options
@configuration_options
@trust_option
@target_option
@catalogue_option
def command(
    entry: str | None,
    arguments: tuple[str, ...],
    output: OutputPlan,
    error_on_warning: bool,
    selection: RuleSelection,
    possible: bool,
    prints: bool,
    python: str | None,
    timeout: float | None,
    memory: int | None,
    overrides: Overrides,
    trust: Trust,
    catalogues: tuple[Path, ...],
) -> int:
    """Run ENTRY with MLIR's Python bindings, and check the scripts that it builds.

    ENTRY is a function, as PACKAGE.MODULE:FUNCTION, or a program, as plan.py; by default those of python.schedules
    in the settings. It is executed, confined as docs/security.md says. A program gets ARGS as its command
    line; a function gets each as a Python literal where it is one, else as text, and NAME=VALUE by its name.

    Findings are at the calls of Python that made the operations in question. All modules with transform operations
    count that are made, whether or not they are printed or returned.

    Exit status: 0 nothing found, 1 errors or warnings found, 2 wrong usage, or nothing could be run, 70 a mistake in
    tdls, 130 interrupted.
    """
    from tdls.cli.checking.built_scripts import ProgramCheck, ProgramOptions

    settings = CheckSettings(
        catalogues=catalogues,
        overrides=replace(overrides, trust=trust),
        selection=selection,
        possible=possible,
        errors_on_warning=error_on_warning,
    )
    options = ProgramOptions(entry, arguments, python, timeout, memory)
    check = ProgramCheck(options, settings, output)
    return check.print_scripts() if prints else check.run()
