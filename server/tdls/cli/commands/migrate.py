"""``tdls migrate``: writes scripts as a version of LLVM does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tdls.analysis.respelling import MIGRATING, reasons_to_leave
from tdls.analysis.rules import unfit_for_target
from tdls.cli.checking.file import CheckSettings, FixPlan
from tdls.cli.checking.fixing import Fixing
from tdls.cli.checking.invocation import exit_status
from tdls.cli.checking.reports import OutputPlan
from tdls.cli.checking.targets import find_targets
from tdls.cli.checking.workers import check_targets
from tdls.cli.console import console
from tdls.cli.console.loading import STANDARD_INPUT, given_back
from tdls.cli.console.options import (
    JSON,
    catalogue_option,
    configuration_options,
    files,
    format_option,
    known_version,
    payload_option,
    versions,
)
from tdls.cli.rendering.checked import Tally
from tdls.cli.rendering.json_text import json_text
from tdls.settings.llvm_versions import version_name, version_named
from tdls.settings.model import RuleSelection
from tdls.structs import replace
from tdls.text.difference import changed_lines
from tdls.text.positions import LineIndex
from tdls.text.printable import printable
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tdls.cli.checking.fixing import FixResult
    from tdls.cli.checking.targets import CheckTarget
    from tdls.settings.sources import Overrides

_VERSION = 1
"""Version of the JSON document."""


@click.command("migrate")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", shell_complete=files)
@click.option(
    "--to",
    "to",
    metavar="VERSION",
    default="main",
    show_default=True,
    callback=known_version,
    shell_complete=versions,
    help="For this version.",
)
@click.option(
    "--from", "from_", metavar="VERSION", callback=known_version, help="Leave out files that are not for this version."
)
@click.option("--diff", is_flag=True, help="Show the changes, and write nothing.")
@click.option("--check", is_flag=True, help="Say what would change, and write nothing.")
@click.option("--stdin-filename", metavar="NAME", help="What to call standard input in the output.")
@format_option
@payload_option
@configuration_options
@catalogue_option
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes to use, as for 'tdls check'.")
def command(
    paths: tuple[str, ...],
    to: str,
    from_: str | None,
    diff: bool,
    check: bool,
    stdin_filename: str | None,
    format_: str,
    payload: bool,
    overrides: Overrides,
    catalogues: tuple[Path, ...],
    jobs: int | None,
) -> int:
    """Write scripts as a version of LLVM does, where their meaning stays the same.

    Operations get the names and the spelling of that version. Comments and layout stay. A module with an operation
    that has no certain migration stays as it is, and such operations are listed with the reason. PATH is a file, a
    directory or - for standard input.

    Exit status: 0 all files are for that version, 1 something is left or, with --diff or --check, would be changed,
    2 wrong usage, or a file that cannot be read or written.
    """
    settings = CheckSettings(catalogues, overrides, selection=RuleSelection(MIGRATING), uses_cache=False)
    shows_only = diff or check or (format_ == JSON and STANDARD_INPUT in paths)
    plan = FixPlan(is_wanted=True, shows_only=shows_only, migrates_to=version_named(to))
    fixing = Fixing(plan, quiet=check or format_ == JSON)
    with given_back(is_rewritten=STANDARD_INPUT in paths and not shows_only):
        targets, problems, _ = find_targets(paths, stdin_filename, overrides, with_payload=payload)
        for problem in problems:
            console.complain(f"{problem.path}: {problem.message}")
        if from_ is not None:
            given, targets = targets, list(_written_for(from_, targets, settings, jobs))
            for target in () if shows_only else given:
                if target.text is not None and not target.is_cell and target not in targets:
                    console.write_exactly(target.text)
        settings = replace(settings, overrides=overrides.with_target(to), selection=RuleSelection(unfit_for_target()))
        fixed = fixing.run(targets, settings, jobs)
    tally = Tally()
    for checked in () if plan.shows_only else check_targets(fixed, settings, jobs):
        tally.add(checked)  # where changes are only shown, files that cannot be read are reported already
    trouble = max(exit_status(tally, OutputPlan(exit_zero=True)), console.EXIT_USAGE if problems else 0)
    results = fixing.results.values()
    if format_ == JSON:
        unreadable = [{"path": problem.path, "message": problem.message} for problem in problems]
        document = {
            "version": _VERSION,
            "to": to,
            "files": [
                {
                    "path": result.target.name,
                    "migrated": len(result.applied),
                    "left": list(_left(result)),
                    **({"text": result.after} if shows_only and result.is_changed else {}),
                }
                for result in results
            ],
            "unreadable": unreadable,
        }
        console.write([json_text(document, indent=2), "\n"])
    else:
        for result in results if check else ():
            if result.is_changed or result.left:
                lines = counted(changed_lines(result.before, result.after), "line")
                places = counted(len([*_left(result)]), "place")
                console.write([f"{printable(result.target.name)}: {lines} to migrate, {places} by hand\n"])
        for place in (place for result in results for place in _left(result)):
            where = f"{printable(place['path'])}:{place['line']}:{place['column']}"
            console.complain(f"{where}: left as it is: {printable(place['message'])}", level="warning")
        if shows_only and results and not trouble and not any(each.is_changed or each.left for each in results):
            needs = "1 file needs" if len(results) == 1 else f"{len(results)} files need"
            console.complain(f"{needs} no change for LLVM {to}", level="note")
    is_left = any(result.left for result in results)
    return max(fixing.exit_status(console.EXIT_FINDINGS if is_left else console.EXIT_CLEAN), trouble)


def _left(result: FixResult) -> Iterator[dict[str, Any]]:
    """Yield the places that a migration leaves as they are, with the reasons."""
    lines = LineIndex(result.after)
    for span, reason in (place for finding in result.left for place in reasons_to_leave(finding)):
        line, column = lines.position(span.start)
        yield {"path": result.target.name, "line": line + 1, "column": column + 1, "message": reason}


def _written_for(
    version: str, targets: Sequence[CheckTarget], settings: CheckSettings, jobs: int | None
) -> Iterator[CheckTarget]:
    """Yield the files that a version reads, and report the others."""
    settings = replace(settings, overrides=settings.overrides.with_target(version))
    for target, checked in zip(targets, check_targets(targets, settings, jobs), strict=True):
        if checked.findings:
            named = version_name(version_named(version) or 0)
            console.complain(f"{target.name}: left out: it is not written for LLVM {named}", level="warning")
        else:
            yield target
