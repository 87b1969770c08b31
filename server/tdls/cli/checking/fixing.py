"""Changes of files by ``tdls check``: ``--fix``, ``--add-ignore``, and ``--diff``, which only shows the changes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tdls.cli.checking.workers import on_targets
from tdls.cli.console import console
from tdls.files.writing import NotWrittenError, replace_content
from tdls.structs import NamedTuple, Struct, field, replace
from tdls.text.diagnostic import Fix
from tdls.text.difference import unified_diff

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.analysis.file.source_file import SourceFile
    from tdls.analysis.fixing import Change
    from tdls.cli.checking.file import Checker, CheckSettings, FixPlan, Loaded
    from tdls.cli.checking.targets import CheckTarget
    from tdls.cli.rendering.checked import CheckedFile
    from tdls.text.diagnostic import Diagnostic, Fingerprint


_NUL = "\0"


class FixResult(NamedTuple):
    """The result for one file; `before` and `after` are empty where nothing was to be done."""

    target: CheckTarget
    before: str = ""
    after: str = ""
    applied: tuple[Change, ...] = ()
    taken_back: tuple[Change, ...] = ()
    left: tuple[Diagnostic, ...] = ()
    """The places in `after` that a migration leaves as they are."""
    is_settled: bool = True
    failed_check: CheckedFile | None = None
    """Set where nothing was fixed: the file cannot be read, a rule failed, or the check shows a mistake in tdls."""
    crash: str | None = None
    """Traceback of a mistake in tdls that showed while fixing."""
    libraries: tuple[str, ...] = ()
    """Libraries that settings have to name before what the file calls can be declared."""

    @property
    def is_changed(self) -> bool:
        """True if there is a new text to write."""
        return self.before != self.after


def fix_target(plan: FixPlan, checker: Checker, target: CheckTarget) -> FixResult:
    """Apply `plan` to the text of `target`; writes no file, and never raises."""
    checked = checker.check(target)
    if checked.crash is not None or checked.unreadable is not None or checked.failures:
        return FixResult(target, failed_check=checked)
    is_needed = plan.adds_ignore or plan.migrates_to is not None
    libraries = () if is_needed else checked.hinted.libraries
    if not any(is_needed or finding.diagnostic.fixes for finding in checked.findings):
        return FixResult(target, libraries=libraries)
    try:
        if plan.migrates_to is not None:
            return _migrated(plan.migrates_to, checker.load(target, checked.text))
        return _fixed(plan, checker, checker.load(target, checked.text))._replace(libraries=libraries)
    except Exception:
        import traceback

        return FixResult(target, crash=traceback.format_exc())


def _migrated(version: int, loaded: Loaded) -> FixResult:
    from tdls.ide.changes.migration import migrate

    migration = migrate(loaded.file, version, in_editor=False)
    assert migration is not None
    after = migration.after.text if migration.applied else loaded.text
    return FixResult(loaded.target, loaded.text, after, migration.applied, left=migration.left)


def _fixed(plan: FixPlan, checker: Checker, loaded: Loaded) -> FixResult:
    from tdls.analysis.checking.file_findings import findings_in_file
    from tdls.analysis.fixing import fix_in_rounds

    def propose(file: SourceFile) -> Iterable[Diagnostic]:
        findings = checker.wanted(findings_in_file(file), loaded)
        return _silencing(plan, loaded.target.name, file, findings) if plan.adds_ignore else findings

    fixed = fix_in_rounds(loaded.file, propose, unsafe=plan.unsafe)
    if plan.adds_ignore and not fixed.is_settled:
        return FixResult(loaded.target, is_settled=False)
    after = fixed.file.text if fixed.applied else loaded.text
    return FixResult(loaded.target, loaded.text, after, fixed.applied, fixed.taken_back, is_settled=fixed.is_settled)


def _silencing(plan: FixPlan, name: str, file: SourceFile, findings: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield `findings` with a comment as their only fix, without known findings and those on such comments.

    A finding that is reported once per file is silenced in the whole file.
    """
    from tdls.analysis.checking.fingerprint import fingerprint
    from tdls.analysis.rules import COMMENT_RULES, find_rule
    from tdls.analysis.suppression.suppressions import silence_in_file, silence_in_line

    entries: Sequence[Fingerprint | None] = [None] * len(findings)
    if plan.known is not None:
        entries = plan.known.recognised(name, [fingerprint(file, finding) for finding in findings])
    for finding, entry in zip(findings, entries, strict=True):
        if entry is None and finding.rule not in COMMENT_RULES:
            rule = find_rule(finding.rule)
            silence = silence_in_file if rule is not None and rule.once_per_file else silence_in_line
            fix = Fix("write a comment", (silence(file, finding, plan.reason),), safe=True)
            yield replace(finding, fixes=(fix,))


_MOST_PASSES = 5


class Fixing(Struct):
    """Carries out a plan; the caller checks the changed files and reports their findings."""

    plan: FixPlan
    quiet: bool = False
    """Whether to say nothing about changes."""
    changed: set[str] = field(default_factory=set)
    """Names of the files that are, or would be, changed."""
    results: dict[str, FixResult] = field(default_factory=dict)
    """The last result of each file, by name."""
    has_failed: bool = False
    """True if a file could not be written, a rule failed or, where changes are only shown, a file could not be read."""
    crash_status: int = console.EXIT_CLEAN
    """That of the worst unexpected error."""
    _changes: int = 0
    _texts: int = 0
    _said: set[str] = field(default_factory=set)

    def run(self, targets: Sequence[CheckTarget], settings: CheckSettings, jobs: int | None) -> list[CheckTarget]:
        """Fix `targets`, and return them with their new texts. Texts from standard input go to standard output.

        Files may be libraries of each other: passes repeat until no file changes, at most `_MOST_PASSES` times.
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
        """True if standard output gets a fixed text, so that findings have to go to standard error."""
        return self._texts > 0

    def exit_status(self, status: int = console.EXIT_CLEAN) -> int:
        """Return the exit status, where that of the check alone would be `status`; omit `status` without a check."""
        if self.crash_status:
            return self.crash_status
        if self.has_failed:
            return max(status, console.EXIT_USAGE)
        return console.EXIT_FINDINGS if self.plan.shows_only and self.changed else status

    def _carried_out(
        self, targets: Sequence[CheckTarget], settings: CheckSettings, jobs: int | None
    ) -> Iterator[FixResult]:
        """Yield results, writing changed files one by one; a file that could not be written counts as unchanged."""
        fix = partial(fix_target, self.plan)
        for result in on_targets(targets, settings, jobs, fix, lambda target, why: FixResult(target, crash=why)):
            self._complain(result)
            name = result.target.name
            if result.is_changed and _NUL in result.before:
                self.fail(f"{name}: not changed: it has NUL characters, as a text in UTF-16 has; save it as UTF-8")
                result = result._replace(after=result.before)
            if result.is_changed and result.target.is_cell and not self.plan.shows_only:
                self.fail(f"{name}: not changed: tdls writes no notebooks; --diff shows the change")
                result = result._replace(after=result.before)
            self.results[name] = result
            if result.is_changed and self.plan.shows_only:
                if not self.quiet:
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
            self.crash_status = max(self.crash_status, console.report_internal_error(f"while fixing {name}", trace))
        for change in result.taken_back:
            message = f"the fix of {change.rule} would bring new errors and is not applied: {change.title}"
            self._warn(f"{name}:{change.line + 1}: {message}")
        if result.libraries and self.plan.shows_only:
            names = ", ".join(f'"{library}"' for library in result.libraries)
            self._warn(f"{name}: fixes name no libraries: write `libraries = [{names}]` in `tdls.toml`", level="note")
        if not result.is_settled:
            self._warn(f"{name}: fixes undo each other; not all of them are applied")

    def fail(self, message: str) -> None:
        """Report that a file cannot be read, fixed or written."""
        self.has_failed = True
        self._warn(message, level="error")

    def _warn(self, message: str, level: str = "warning") -> None:
        """Write `message` to standard error once, in however many passes it occurs."""
        if message not in self._said:
            self._said.add(message)
            console.complain(message, level)

    def _finish(self, targets: Iterable[CheckTarget]) -> None:
        for target in targets:
            if target.text is not None and not target.is_cell:
                console.write_exactly(target.text)
                self._texts += 1
        if self.changed and not self.quiet:
            changes = "comments written" if self.plan.adds_ignore else "fixes applied"
            console.complain(f"{changes}: {self._changes}, files changed: {len(self.changed)}", level="note")
