"""One invocation of ``tdls --check``: selects, fixes and checks files, writes reports, and gives the exit status."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from tdls.cli.checking import reports
from tdls.cli.checking.baseline import BaselinePlan, known_findings
from tdls.cli.checking.file import CheckSettings, FixPlan
from tdls.cli.checking.kept import PlainOptions, may_run, mentions_runs
from tdls.cli.checking.reports import OutputPlan
from tdls.cli.checking.targets import find_targets
from tdls.cli.checking.workers import check_targets
from tdls.cli.console import console, progress
from tdls.cli.console.loading import STANDARD_INPUT, given_back
from tdls.cli.console.streams import wants_colour
from tdls.cli.rendering.checked import RenderOptions, Tally
from tdls.structs import Struct, replace
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tdls.cli.checking.baseline import KnownFindings
    from tdls.cli.checking.changed_lines import ChangedLines
    from tdls.cli.checking.fixing import Fixing
    from tdls.cli.checking.targets import CheckTarget
    from tdls.cli.rendering.checked import CheckedFile, FailedRule


_MOST_READ = 50


class Invocation(Struct, frozen=True):
    """All options of the command line."""

    names: tuple[str, ...]
    settings: CheckSettings
    output: OutputPlan
    fixes: FixPlan = FixPlan()
    baseline: BaselinePlan = BaselinePlan()
    diff_base: str | None = None
    jobs: int | None = None
    stdin_filename: str | None = None
    forces_exclude: bool = False
    with_payload: bool = False
    """Whether files without transform operations are checked even if the command line does not name them."""
    with_programs: bool = False
    """Whether Python programs below folders are checked."""
    with_negative_tests: bool = False
    """Whether findings count that tests below folders expect, of errors or failing runs."""
    allows_empty: bool = False
    """Whether directories may have no file to check."""

    def run(self) -> int:
        """Check, and return the exit status. Raises InputError."""
        is_attended = self.settings.runs or self.fixes.is_wanted or STANDARD_INPUT in self.names
        if not is_attended and not self.output.quiet:  # the terminal is not used before files are checked
            progress.begin("looking for files")
        try:
            return self._run()
        finally:
            progress.end()

    def _run(self) -> int:
        """Find the files, fix them, check them, hide what is not asked for, and report the rest."""
        settings, output = self.settings, self.output
        is_rewritten = STANDARD_INPUT in self.names and self.fixes.is_wanted and not self.fixes.shows_only
        with given_back(is_rewritten=is_rewritten):
            targets, problems, left_out = find_targets(
                self.names,
                self.stdin_filename,
                settings.overrides,
                forces_exclude=self.forces_exclude,
                quiet=output.quiet,
                with_payload=self.with_payload,
                with_programs=self.with_programs,
                allows_empty=self.allows_empty,
            )
            known = known_findings(self.baseline, targets, settings.overrides) if not settings.verify else None
            inputs = [target.path for target in targets]
            outputs = reports.reports_of(output.format, output.files, inputs)
            changed = self._changed_lines(targets)
            fixing: Fixing | None = None
            if self.fixes.is_wanted:
                fixing, targets = self._fixed(targets, known)
        if fixing is not None and self.fixes.shows_only:
            for problem in problems:
                fixing.fail(f"{problem.path}: {problem.message}")
            status = fixing.exit_status()
            return console.EXIT_CLEAN if output.exit_zero and status == console.EXIT_FINDINGS else status
        writes_text = fixing is not None and fixing.writes_text
        unreadable = {problem.path: problem.message for problem in problems}
        tally = Tally(left_out=left_out, unreadable=unreadable, offers_fixes=fixing is None)
        checked_targets = list(filter(changed.concern, targets)) if changed is not None else targets
        check = partial(check_targets, checked_targets, settings, self.jobs)
        results = progress.with_progress(check, len(checked_targets), hidden=output.quiet or writes_text)
        for hide in self._filters(targets, known, changed, tally):
            results = hide(results)
        options = RenderOptions(wants_colour(output.colour, sys.stdout), output.quiet)
        console.write(reports.rendered(results, outputs, options, tally), to_error=writes_text)
        if known is not None:
            known.finish(quiet=output.quiet)
        runs_or_fixes = settings.runs or settings.verify or fixing is not None
        if not runs_or_fixes and mentions_runs(output.format, quiet=output.quiet):
            _suggest_runs(targets)
        status = exit_status(tally, output)
        return fixing.exit_status(status) if fixing is not None else status

    def _filters(
        self,
        targets: Sequence[CheckTarget],
        known: KnownFindings | None,
        changed: ChangedLines | None,
        tally: Tally,
    ) -> Iterator[Callable[[Iterable[CheckedFile]], Iterator[CheckedFile]]]:
        """Yield what hides findings from results, in order; comments and levels of rules have done so before."""
        searched = {target.name for target in targets if not target.is_named}
        if searched and not self.with_negative_tests:
            from tdls.cli.checking.negative_tests import without_expected

            yield partial(without_expected, searched, tally)
        if known is not None:
            yield known.new_ones
        if changed is not None:
            yield changed.only

    def _changed_lines(self, targets: Sequence[CheckTarget]) -> ChangedLines | None:
        if self.diff_base is None:
            return None
        from tdls.cli.checking.changed_lines import ChangedLines

        return ChangedLines.since(self.diff_base, targets)

    def _fixed(self, targets: Sequence[CheckTarget], known: KnownFindings | None) -> tuple[Fixing, list[CheckTarget]]:
        """Fix `targets`, and return them with their new texts."""
        from tdls.cli.checking.fixing import Fixing
        from tdls.cli.checking.negative_tests import is_negative_test

        fixing = Fixing(replace(self.fixes, known=known), self.output.quiet)
        if not self.with_negative_tests:
            targets = [target for target in targets if target.is_named or not is_negative_test(target)]
        return fixing, fixing.run(targets, self.settings, self.jobs)


def plain_invocation(options: PlainOptions, names: Sequence[str]) -> Invocation:
    """Return the invocation of a plain command line, without the time that click takes to read it."""
    settings = CheckSettings(possible=options.possible, errors_on_warning=options.error_on_warning)
    output = OutputPlan(format=options.format, colour=options.colour, quiet=options.quiet, exit_zero=options.exit_zero)
    return Invocation(tuple(names), settings, output)


def _suggest_runs(targets: Sequence[CheckTarget]) -> None:
    """Say how many of the first files ``--run`` would run, if MLIR's bindings are installed."""
    from tdls.interpreter.mlir.worker.packages import installed_bindings

    def is_runnable(target: CheckTarget) -> bool:
        try:
            text = target.read()
        except (OSError, UnicodeDecodeError):
            return False
        return may_run(text)

    count = sum(map(is_runnable, targets[:_MOST_READ])) if installed_bindings() else 0
    if count:
        number = f"{count}{' or more' if len(targets) > _MOST_READ else ''}"
        files = f"{number} {'file has a script' if number == '1' else 'files have scripts'} with a payload"
        console.complain(f"{files}: with --run they are also run, and failures reported", level="note")


def exit_status(tally: Tally, output: OutputPlan) -> int:
    """Return the exit status for all files; report problems of settings, and files that could not be checked."""
    for complaint in () if output.quiet else tally.complaints:
        console.complain(complaint, level="warning")
    for name, message in tally.unreadable.items():
        console.complain(f"{name}: {message}")
    crashed = [console.report_internal_error(f"while checking {name}", trace) for name, trace in tally.crashes.items()]
    report_failures(tally)
    for reason in tally.unrunnable:
        console.complain(f"--run: {reason}")
    if crashed:
        return max(crashed)
    if tally.unreadable or tally.unrunnable or tally.failures:
        return console.EXIT_USAGE
    return console.EXIT_FINDINGS if tally.has_failures and not output.exit_zero else console.EXIT_CLEAN


def report_failures(tally: Tally) -> None:
    """Report the rules that failed, with one file for each reason."""
    if not tally.failures:
        return
    from tdls.analysis.checking.file_findings import failures_in_words

    groups: dict[str, list[FailedRule]] = {}
    for failed in tally.failures.values():
        groups.setdefault(failed.failure.reason, []).append(failed)
    for group in groups.values():
        others = max(failed.files for failed in group) - 1
        where = f"{group[0].name} and {counted(others, 'more file')}" if others else group[0].name
        for words in failures_in_words(failed.failure for failed in group):
            console.report_mistake(f"{words}; its findings are missing in {where}", group[0].failure.trace)
