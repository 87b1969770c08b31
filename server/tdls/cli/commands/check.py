"""``tdls check``, also spelled ``tdls --check``: the options, as an `Invocation`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tdls.cli.checking.file import CheckSettings
from tdls.cli.checking.invocation import Invocation
from tdls.cli.checking.options import baseline_options, fixing_options, output_options
from tdls.cli.console.options import (
    catalogue_option,
    configuration_options,
    files,
    payload_option,
    python_option,
    selection_options,
    target_option,
    trust_option,
)
from tdls.structs import replace

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.cli.checking.baseline import BaselinePlan
    from tdls.cli.checking.file import FixPlan
    from tdls.cli.checking.reports import OutputPlan
    from tdls.settings.consent import Trust
    from tdls.settings.model import RuleSelection
    from tdls.settings.sources import Overrides


@click.command("check")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", shell_complete=files)
@click.option(
    "--stdin-filename", metavar="NAME", shell_complete=files, help="What to call standard input in the output."
)
@click.option("--force-exclude", is_flag=True, help="Also leave out files that are named if settings exclude them.")
@click.option("--allow-empty", is_flag=True, help="Accept directories in which there is no file to check.")
@output_options
@click.option("--error-on-warning", is_flag=True, help="Report warnings as errors.")
@selection_options
@click.option(
    "--run",
    "runs",
    is_flag=True,
    help="Also run scripts that have a payload, let MLIR read all other files, and report what it says.",
)
@click.option(
    "--require-matches",
    "requires_matches",
    is_flag=True,
    help="With --run: fail where anything that looks for payload finds nothing.",
)
@payload_option
@python_option
@click.option(
    "--negative-tests",
    is_flag=True,
    help="Also report what tests below directories expect: at expected-error comments, and in runs by 'not'.",
)
@click.option("--possible", is_flag=True, help="Also report what is only possible, which editors show as hints.")
@click.option(
    "--diff-base",
    metavar="REV",
    help="Report only what touches lines that changed since a git revision; 'main...' is where the branch left main.",
)
@configuration_options
@trust_option
@target_option
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
    help="Processes to use at most, by default one per core; few files are checked by fewer.",
)
@click.option("--no-cache", is_flag=True, help="Look at every file again, and keep nothing for the next time.")
def command(
    paths: tuple[str, ...],
    stdin_filename: str | None,
    force_exclude: bool,
    allow_empty: bool,
    output: OutputPlan,
    error_on_warning: bool,
    selection: RuleSelection,
    runs: bool,
    requires_matches: bool,
    payload: bool,
    programs: bool,
    negative_tests: bool,
    possible: bool,
    diff_base: str | None,
    overrides: Overrides,
    trust: Trust,
    catalogues: tuple[Path, ...],
    split: bool | None,
    verify: bool,
    plan: FixPlan,
    baseline: BaselinePlan,
    jobs: int | None,
    no_cache: bool,
) -> int:
    """Check scripts: files, all *.mlir below directories, or - for standard input.

    Of Python programs the strings are checked that hold scripts; nothing is executed.

    Directories are searched as git sees them: without hidden files and those that it ignores.

    Exit status: 0 nothing found, 1 errors or warnings found, 2 wrong usage, unreadable input or a rule that failed,
    70 a mistake in tdls, 130 interrupted.
    """
    if requires_matches and not runs:
        raise click.UsageError("--require-matches is about runs: it needs --run")
    if verify and (plan.is_wanted or baseline.is_wanted):
        raise click.UsageError("--verify-diagnostics compares all that is found; it changes no files")
    if diff_base is not None and (plan.is_wanted or verify):
        raise click.UsageError("--diff-base chooses among findings; it goes with no option that needs all of them")
    overrides = replace(overrides, trust=trust)
    settings = CheckSettings(
        catalogues=catalogues,
        overrides=overrides,
        split={None: "AUTO", True: "ALWAYS", False: "NEVER"}[split],
        verify=verify,
        selection=selection,
        possible=possible,
        errors_on_warning=error_on_warning,
        uses_cache=not no_cache,
        runs=runs,
        requires_matches=requires_matches,
    )
    invocation = Invocation(
        paths,
        settings,
        output,
        plan,
        baseline,
        diff_base,
        jobs,
        stdin_filename,
        force_exclude,
        with_payload=payload or verify,
        with_programs=programs,
        with_negative_tests=negative_tests or verify,
        allows_empty=allow_empty,
    )
    return invocation.run()
