"""What ``tdls check`` does to files: ``--fix``, ``--add-ignore``, and ``--diff``, which shows it only."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

import click

from tdls.cli.checking.fixing.task import FixPlan, fix_target, lost_target
from tdls.cli.checking.workers import on_targets
from tdls.cli.console import console
from tdls.files.writing import NotWrittenError, replace_content
from tdls.text.difference import unified_diff

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tdls.cli.checking.file import CheckSettings
    from tdls.cli.checking.fixing.task import FixResult
    from tdls.cli.checking.targets import CheckTarget

_OPTIONS = (
    click.option("--fix", is_flag=True, help="Apply the fixes that cannot change what a script does, then check."),
    click.option("--unsafe-fixes", "unsafe", is_flag=True, help="With --fix or --diff, apply all other fixes, too."),
    click.option("--diff", is_flag=True, help="Show what --fix or --add-ignore would change, and change nothing."),
    click.option("--add-ignore", is_flag=True, help="Write comments that silence everything that is found."),
    click.option("--reason", default="", metavar="TEXT", help="With --add-ignore, the reason to write in comments."),
)
_MOST_PASSES = 5


def fixing_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command; their values are its parameter `plan`."""

    @wraps(function)
    def with_plan(*, fix: bool, unsafe: bool, diff: bool, add_ignore: bool, reason: str, **rest: Any) -> Any:
        return function(plan=_plan(fix=fix, unsafe=unsafe, diff=diff, add_ignore=add_ignore, reason=reason), **rest)

    command: Callable[..., Any] = with_plan
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _plan(*, fix: bool, unsafe: bool, diff: bool, add_ignore: bool, reason: str) -> FixPlan:
    if add_ignore and (fix or unsafe):
        raise click.UsageError("--add-ignore silences what --fix would fix; run one after the other")
    if unsafe and not (fix or diff):
        raise click.UsageError("--unsafe-fixes says which fixes to apply; it goes with --fix or --diff")
    if reason and not add_ignore:
        raise click.UsageError("--reason goes with --add-ignore")
    if "\n" in reason or "\r" in reason:
        raise click.UsageError("--reason takes one line")
    return FixPlan(fix or diff or add_ignore, unsafe, shows_only=diff, adds_ignore=add_ignore, reason=reason)


@dataclass(slots=True)
class Fixing:
    """Carries out a plan; what is found afterwards is for others to tell."""

    plan: FixPlan
    quiet: bool = False
    changed: set[str] = field(default_factory=set)
    """Names of the files that are, or would be, changed."""
    has_failed: bool = False
    """True if a file could not be written or, where changes are only shown, read."""
    has_crashed: bool = False
    _changes: int = 0
    _texts: int = 0
    _said: set[str] = field(default_factory=set)

    def run(self, targets: Sequence[CheckTarget], settings: CheckSettings, jobs: int | None) -> list[CheckTarget]:
        """Fix `targets`, and return them as they are to be checked. Texts from standard input go to standard output.

        Files may be libraries of each other: they are looked at again until none changes.
        """
        targets = list(targets)
        for _ in range(1 if self.plan.shows_only else _MOST_PASSES):
            results = list(self._carried_out(targets, settings, jobs))
            targets = [result.target for result in results]
            if len(targets) == 1 or not any(result.is_changed for result in results):
                break
        if not self.plan.shows_only:
            self._finish(targets)
        return targets

    @property
    def writes_text(self) -> bool:
        """True if standard output gets a text; findings have to go elsewhere then."""
        return self._texts > 0

    def exit_status(self, status: int = console.EXIT_CLEAN) -> int:
        """Return the exit status, where that of the check alone would be `status`; without a check there is none."""
        if self.has_crashed:
            return console.EXIT_INTERNAL
        if self.has_failed:
            return max(status, console.EXIT_USAGE)
        return console.EXIT_FINDINGS if self.plan.shows_only and self.changed else status

    def _carried_out(
        self, targets: Sequence[CheckTarget], settings: CheckSettings, jobs: int | None
    ) -> Iterator[FixResult]:
        """Write the files one by one; a result that could not be written counts as not changed."""
        for result in on_targets(targets, settings, jobs, partial(fix_target, self.plan), lost_target):
            self._complain(result)
            if result.is_changed and self.plan.shows_only:
                name = result.target.name
                console.write_exactly("".join(unified_diff(result.before, result.after, name, name)))
                self._count(result)
            yield self._written(result) if result.is_changed and not self.plan.shows_only else result

    def _written(self, result: FixResult) -> FixResult:
        target = result.target
        if target.text is not None or target.path is None:
            self._count(result)
            return result._replace(target=replace(target, text=result.after))
        try:
            replace_content(target.path, result.before.encode("utf-8"), result.after.encode("utf-8"))
        except NotWrittenError as error:
            self.fail(f"{target.name}: not fixed: {error}")
            return result._replace(after=result.before)
        self._count(result)
        return result

    def _count(self, result: FixResult) -> None:
        self.changed.add(result.target.name)
        self._changes += len(result.applied)

    def _complain(self, result: FixResult) -> None:
        name, failed = result.target.name, result.failed_check
        if self.plan.shows_only and failed is not None and failed.unreadable is not None:
            self.fail(f"{name}: {failed.unreadable}")
        if failed is not None and failed.failures:
            from tdls.analysis.checking.file_findings import failures_in_words

            self.fail(f"{name}: not fixed: {'; '.join(failures_in_words(failed.failures))}")
        trace = result.crash or (failed.crash if self.plan.shows_only and failed is not None else None)
        if trace is not None:
            console.report_internal_error(f"while fixing {name}", trace)
            self.has_crashed = True
        for change in result.taken_back:
            message = f"the fix of {change.rule} would bring new errors and is not applied: {change.title}"
            self._warn(f"{name}:{change.line + 1}: {message}")
        if not result.is_settled:
            self._warn(f"{name}: fixes undo each other; not all of them are applied")

    def fail(self, message: str) -> None:
        """Say that something cannot be read or written."""
        self.has_failed = True
        self._warn(message, level="error")

    def _warn(self, message: str, level: str = "warning") -> None:
        """Say something once, however often files are looked at."""
        if message not in self._said:
            self._said.add(message)
            console.complain(message, level)

    def _finish(self, targets: Iterable[CheckTarget]) -> None:
        for target in targets:
            if target.text is not None:
                console.write_exactly(target.text)
                self._texts += 1
        if self.changed and not self.quiet:
            what = "comments written" if self.plan.adds_ignore else "fixes applied"
            console.complain(f"{what}: {self._changes}, files changed: {len(self.changed)}", level="note")
