"""``tdls check``, also spelled ``tdls --check``."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tdls.cli import console
from tdls.cli.checking import CheckSettings, Outcome, Target, check_targets
from tdls.cli.configured import without_excluded
from tdls.cli.loading import STANDARD_INPUT, read_argument
from tdls.cli.options import catalogue_option, colour_option
from tdls.files.selection import Problem, select
from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_FAILING_LEVELS = (Level.ERROR, Level.WARNING)


@click.command("check", short_help="Check files, directories or standard input.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--stdin-filename", metavar="NAME", help="What to call standard input in the output.")
@click.option(
    "--format",
    "output",
    type=click.Choice(["full", "concise", "json"]),
    default="full",
    show_default=True,
    help="Findings with their source, one line each, or a JSON document.",
)
@colour_option("Colour the 'full' format")
@catalogue_option
@click.option(
    "--split-input-file/--no-split-input-file",
    "split",
    default=None,
    help="Whether '// -----' ends a file, as in mlir-opt. By default tdls looks at the file.",
)
@click.option("--possible", is_flag=True, help="Also report what is only possible, which editors show as hints.")
@click.option(
    "--verify-diagnostics",
    "verify",
    is_flag=True,
    help="Report differences to the file's expected-* comments instead of findings, as mlir-opt does.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes to use; by default one for few files and one per core for many.",
)
def command(
    paths: tuple[str, ...],
    stdin_filename: str | None,
    output: str,
    colour: str,
    catalogues: tuple[Path, ...],
    split: bool | None,
    possible: bool,
    verify: bool,
    jobs: int | None,
) -> int:
    """Check scripts: files, all *.mlir below directories, or - for standard input.

    Directories are searched as git sees them: without hidden files and what .gitignore excludes.

    Exit status: 0 nothing found, 1 errors or warnings found, 2 wrong usage or unreadable input.
    """
    targets, problems = _targets(paths, stdin_filename)
    settings = CheckSettings(
        output=output,
        coloured=console.wants_colour(colour, sys.stdout),
        catalogues=catalogues,
        split={None: "AUTO", True: "ALWAYS", False: "NEVER"}[split],
        verify=verify,
        possible=possible,
    )
    tally = _Tally(problems)
    findings = tally.count(check_targets(targets, settings, jobs))
    console.write(_document(output, findings, tally))
    return tally.exit_status()


def _targets(names: tuple[str, ...], stdin_filename: str | None) -> tuple[list[Target], list[Problem]]:
    """Return what to check, standard input first and files sorted, and what cannot be checked."""
    selection = select(Path(name) for name in names if name != STANDARD_INPUT)
    for directory in selection.empty:
        console.complain(f"{directory}: no *.mlir file to check here", level="warning")
    named = {Path(name) for name in names}
    found = set(without_excluded(file for file in selection.files if file not in named))
    targets = [Target(str(file), file) for file in selection.files if file in named or file in found]
    if STANDARD_INPUT in names:
        path = Path(stdin_filename) if stdin_filename is not None else None
        targets.insert(0, Target(stdin_filename or "<stdin>", path, read_argument(STANDARD_INPUT)))
    return targets, list(selection.problems)


@dataclass(slots=True)
class _Tally:
    """What has been seen so far while outcomes pass by."""

    unreadable: list[Problem] = field(default_factory=list)
    levels: Counter[Level] = field(default_factory=Counter)
    files: int = 0
    files_with_findings: int = 0
    crashes: list[Outcome] = field(default_factory=list)
    complaints: dict[str, None] = field(default_factory=dict)

    def count(self, outcomes: Iterable[Outcome]) -> Iterator[str]:
        """Yield the findings of `outcomes` one by one."""
        for outcome in outcomes:
            if outcome.crash is not None:
                self.crashes.append(outcome)
            elif outcome.unreadable is not None:
                self.unreadable.append(Problem(outcome.name, outcome.unreadable))
            else:
                self.complaints.update(dict.fromkeys(outcome.complaints))
                self.files += 1
                self.files_with_findings += bool(outcome.findings)
                self.levels.update(outcome.levels)
                yield from outcome.findings

    def exit_status(self) -> int:
        """Return the exit status that stands for all outcomes; complain about settings, and files that gave none."""
        for complaint in self.complaints:
            console.complain(complaint, level="warning")
        for problem in self.unreadable:
            console.complain(f"{problem.path}: {problem.message}")
        for outcome in self.crashes:
            console.report_internal_error(f"while checking {outcome.name}", outcome.crash or "")
        if self.crashes:
            return console.EXIT_INTERNAL
        if self.unreadable:
            return console.EXIT_USAGE
        has_failures = any(self.levels[level] for level in _FAILING_LEVELS)
        return console.EXIT_FINDINGS if has_failures else console.EXIT_CLEAN

    def summary(self) -> str:
        """Return the last line of the full format, nothing when there was nothing to check."""
        if self.unreadable and not self.files:
            return ""
        counts = [_counted(self.levels[level], level.value) for level in Level if self.levels[level]]
        if not counts:
            return f"no findings in {_counted(self.files, 'file')}\n"
        places = _counted(self.files_with_findings, "file")
        checked = f" ({self.files} checked)" if self.files > self.files_with_findings else ""
        return f"{', '.join(counts)} in {places}{checked}\n"


def _document(output: str, findings: Iterator[str], tally: _Tally) -> Iterator[str]:
    """Yield all that goes to standard output; `tally` is complete when `findings` are exhausted."""
    if output == "json":
        from tdls.cli.rendering.document import document

        yield from document(
            findings,
            lambda: [asdict(problem) for problem in tally.unreadable],
            lambda: {"files": tally.files, **{f"{level.value}s": tally.levels[level] for level in Level}},
        )
        return
    yield from findings
    if output == "full":
        yield tally.summary()


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
