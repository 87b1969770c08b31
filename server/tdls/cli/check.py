"""``tdls check``, also spelled ``tdls --check``."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from tdls.cli import console, reports
from tdls.cli.baseline import baseline_options, known_findings
from tdls.cli.changed_lines import ChangedLines
from tdls.cli.checking import CheckSettings
from tdls.cli.fixing import Fixing, fixing_options
from tdls.cli.options import catalogue_option, colour_option, configuration_options, selection_options
from tdls.cli.rendering.checked import Look, Tally
from tdls.cli.rendering.formats import FORMATS
from tdls.cli.rendering.source import open_source
from tdls.cli.targets import find_targets
from tdls.cli.workers import check_targets

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.cli.baseline import BaselinePlan
    from tdls.cli.fix_task import FixPlan
    from tdls.settings.model import Selection
    from tdls.settings.sources import Overrides


@click.command("check", short_help="Check files, directories or standard input.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--stdin-filename", metavar="NAME", help="What to call standard input in the output.")
@click.option(
    "--format",
    "--output-format",
    "format_",
    type=click.Choice(FORMATS),
    default="full",
    show_default=True,
    help="How findings look.",
)
@click.option(
    "-o",
    "--output-file",
    "output_files",
    multiple=True,
    metavar="[FORMAT=]PATH",
    help="Write to a file: what would go to standard output, or another format besides; may be repeated.",
)
@colour_option("Colour the 'full' format")
@click.option("--statistics", is_flag=True, help="Show how often each rule found something instead of findings.")
@click.option("-q", "--quiet", is_flag=True, help="Show findings and errors only: no summary, no warnings.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
@click.option("--error-on-warning", is_flag=True, help="Report warnings as errors.")
@selection_options
@click.option(
    "--diff-base",
    metavar="REV",
    help="Report only what touches lines that changed since a git revision; 'main...' is where the branch left main.",
)
@click.option("--possible", is_flag=True, help="Also report what is only possible, which editors show as hints.")
@configuration_options
@catalogue_option
@click.option(
    "--split-input-file/--no-split-input-file",
    "split",
    default=None,
    help="Whether '// -----' ends a file, as in mlir-opt. By default tdls looks at the file.",
)
@click.option(
    "--verify-diagnostics",
    "verify",
    is_flag=True,
    help="Report differences to the file's expected-* comments instead of findings, as mlir-opt does.",
)
@fixing_options
@baseline_options
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes to use; by default one for few files and one per core for many.",
)
@click.option("--no-cache", is_flag=True, help="Look at every file again, and keep nothing for the next time.")
def command(
    paths: tuple[str, ...],
    stdin_filename: str | None,
    format_: str,
    output_files: tuple[str, ...],
    colour: str,
    statistics: bool,
    quiet: bool,
    exit_zero: bool,
    error_on_warning: bool,
    selection: Selection,
    diff_base: str | None,
    possible: bool,
    overrides: Overrides,
    catalogues: tuple[Path, ...],
    split: bool | None,
    verify: bool,
    plan: FixPlan,
    baseline: BaselinePlan,
    jobs: int | None,
    no_cache: bool,
) -> int:
    """Check scripts: files, all *.mlir below directories, or - for standard input.

    Directories are searched as git sees them: without hidden files and what .gitignore excludes.

    Exit status: 0 nothing found, 1 errors or warnings found, 2 wrong usage or unreadable input, 70 a mistake in tdls,
    130 interrupted.
    """
    if verify and (plan.is_wanted or baseline.is_wanted):
        raise click.UsageError("--verify-diagnostics compares all that is found; it changes no files")
    if diff_base is not None and (plan.is_wanted or verify):
        raise click.UsageError(
            "--diff-base chooses what is reported; it does not go with options that need all of a file"
        )
    targets, problems = find_targets(paths, stdin_filename, overrides)
    known = known_findings(baseline, targets, overrides) if not verify else None
    settings = CheckSettings(
        catalogues=catalogues,
        overrides=overrides,
        selection=selection,
        split={None: "AUTO", True: "ALWAYS", False: "NEVER"}[split],
        verify=verify,
        possible=possible,
        errors_on_warning=error_on_warning,
        uses_cache=not no_cache,
    )
    outputs = reports.asked_for(format_, output_files, (target.path for target in targets), statistics=statistics)
    changed = ChangedLines.since(diff_base, targets) if diff_base is not None else None
    fixing = Fixing(replace(plan, known=known), quiet)
    if plan.is_wanted:
        targets = fixing.run(targets, settings, jobs)
    if plan.shows_only:
        for problem in problems:
            fixing.fail(f"{problem.path}: {problem.message}")
        return fixing.exit_status()
    look = Look(open_source, console.wants_colour(colour, sys.stdout), quiet)
    tally = Tally(unreadable={problem.path: problem.message for problem in problems})
    results = check_targets(targets, settings, jobs)
    if known is not None:
        results = known.new_ones(results)
    if changed is not None:
        results = changed.only(results)
    console.write(reports.rendered(results, outputs, look, tally), to_error=fixing.writes_text)
    if known is not None:
        known.finish(quiet=quiet)
    return fixing.exit_status(_exit_status(tally, quiet=quiet, exit_zero=exit_zero))


def _exit_status(tally: Tally, *, quiet: bool, exit_zero: bool) -> int:
    """Return the exit status that stands for all files; complain about settings, and files that gave none."""
    for complaint in () if quiet else tally.complaints:
        console.complain(complaint, level="warning")
    for name, message in tally.unreadable.items():
        console.complain(f"{name}: {message}")
    for name, trace in tally.crashes.items():
        console.report_internal_error(f"while checking {name}", trace)
    if tally.crashes:
        return console.EXIT_INTERNAL
    if tally.unreadable:
        return console.EXIT_USAGE
    return console.EXIT_FINDINGS if tally.has_failures and not exit_zero else console.EXIT_CLEAN
