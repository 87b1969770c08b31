"""The options of ``tdls check`` that make plans: of its output, of changes, and of its baseline."""

from __future__ import annotations

from pathlib import Path

import click

from tdls.cli.checking.baseline import BaselinePlan
from tdls.cli.checking.file import FixPlan
from tdls.cli.checking.reports import OutputPlan
from tdls.cli.console.options import colour_option, files, grouped
from tdls.cli.rendering.renderer import FORMATS


def _fix_plan(*, fix: bool, unsafe: bool, diff: bool, add_ignore: bool, reason: str) -> FixPlan:
    if add_ignore and (fix or unsafe):
        raise click.UsageError("--add-ignore silences what --fix would fix; run one after the other")
    if unsafe and not (fix or diff):
        raise click.UsageError("--unsafe-fixes says which fixes to apply; it goes with --fix or --diff")
    if reason and not add_ignore:
        raise click.UsageError("--reason goes with --add-ignore")
    if "\n" in reason or "\r" in reason:
        raise click.UsageError("--reason takes one line")
    return FixPlan(fix or diff or add_ignore, unsafe, shows_only=diff, adds_ignore=add_ignore, reason=reason)


def _baseline_plan(*, file: Path | None, writes: bool, prunes: bool) -> BaselinePlan:
    if writes and prunes:
        raise click.UsageError("--write-baseline writes all findings; there is nothing to prune then")
    return BaselinePlan(file, writes, prunes)


output_options = grouped(
    "output",
    OutputPlan,
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
    click.option("-q", "--quiet", is_flag=True, help="Show findings and errors only: no summary, no warnings."),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings."),
)
fixing_options = grouped(
    "plan",
    _fix_plan,
    click.option("--fix", is_flag=True, help="Apply the fixes that cannot change what a script does, then check."),
    click.option("--unsafe-fixes", "unsafe", is_flag=True, help="With --fix or --diff, apply all other fixes, too."),
    click.option("--diff", is_flag=True, help="Show what --fix or --add-ignore would change, and change nothing."),
    click.option("--add-ignore", is_flag=True, help="Write comments that silence everything that is found."),
    click.option("--reason", default="", metavar="TEXT", help="With --add-ignore, the reason to write in comments."),
)
baseline_options = grouped(
    "baseline",
    _baseline_plan,
    click.option(
        "--baseline",
        "file",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Report only findings that are not in this file.",
    ),
    click.option("--write-baseline", "writes", is_flag=True, help="Write all findings to the --baseline file instead."),
    click.option("--prune-baseline", "prunes", is_flag=True, help="Remove from the --baseline file what is gone."),
)
