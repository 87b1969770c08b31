"""Fixing one file, in any process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from tdls.text.diagnostic import Fix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.analysis.checking.fingerprint import Identity
    from tdls.analysis.file.source_file import SourceFile
    from tdls.analysis.fixing import Change
    from tdls.cli.checking.baseline import KnownFindings
    from tdls.cli.checking.file import Checker, Loaded
    from tdls.cli.checking.targets import CheckTarget
    from tdls.cli.rendering.checked import CheckedFile
    from tdls.text.diagnostic import Diagnostic


@dataclass(frozen=True, slots=True)
class FixPlan:
    """What is to be done to files."""

    is_wanted: bool = False
    unsafe: bool = False
    """Whether fixes count that may change what a script does."""
    shows_only: bool = False
    adds_ignore: bool = False
    """Whether findings are silenced by comments, with this `reason`, rather than fixed."""
    reason: str = ""
    known: KnownFindings | None = None
    """Findings that need no comment."""


class FixResult(NamedTuple):
    """What became of one file; `before` and `after` are empty where nothing was to be done."""

    target: CheckTarget
    before: str = ""
    after: str = ""
    applied: tuple[Change, ...] = ()
    taken_back: tuple[Change, ...] = ()
    is_settled: bool = True
    failed_check: CheckedFile | None = None
    """Why nothing was fixed: the file cannot be read, or checking it shows a mistake in tdls."""
    crash: str | None = None
    """The traceback of a mistake in tdls that showed while fixing."""

    @property
    def is_changed(self) -> bool:
        """True if there is something to write."""
        return self.before != self.after


def fix_target(plan: FixPlan, checker: Checker, target: CheckTarget) -> FixResult:
    """Do what `plan` says to the text of `target`; writes nothing, and never raises."""
    checked = checker.check(target)
    if checked.crash is not None or checked.unreadable is not None or checked.failures:
        return FixResult(target, failed_check=checked)
    if not any(plan.adds_ignore or finding.diagnostic.fixes for finding in checked.findings):
        return FixResult(target)
    try:
        return _fixed(plan, checker, checker.load(target, checked.text))
    except Exception:
        import traceback

        return FixResult(target, crash=traceback.format_exc())


def lost_target(target: CheckTarget, reason: str) -> FixResult:
    """Return the result for a file whose process was ended, for a `reason`."""
    return FixResult(target, crash=reason)


def _fixed(plan: FixPlan, checker: Checker, loaded: Loaded) -> FixResult:
    from tdls.analysis.checking.file_findings import findings_in_file
    from tdls.analysis.fixing import fix_in_rounds

    def propose(file: SourceFile) -> Iterable[Diagnostic]:
        found = checker.wanted(findings_in_file(file), loaded)
        return _silencing(plan, loaded.target.name, file, found) if plan.adds_ignore else found

    fixed = fix_in_rounds(loaded.file, propose, unsafe=plan.unsafe)
    if plan.adds_ignore and not fixed.is_settled:
        return FixResult(loaded.target, is_settled=False)
    after = fixed.file.text if fixed.applied else loaded.text
    return FixResult(loaded.target, loaded.text, after, fixed.applied, fixed.taken_back, fixed.is_settled)


def _silencing(plan: FixPlan, name: str, file: SourceFile, findings: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield `findings` with a comment as their only fix, but for those that are known, or about such comments.

    What is told once in a file is silenced for all of it.
    """
    from tdls.analysis.checking.fingerprint import identity
    from tdls.analysis.rules import COMMENT_RULES, find_rule
    from tdls.analysis.suppression.suppressions import silence_in_file, silence_in_line

    entries: Sequence[Identity | None] = [None] * len(findings)
    if plan.known is not None:
        entries = plan.known.recognised(name, [identity(file, finding) for finding in findings])
    for finding, entry in zip(findings, entries, strict=True):
        if entry is None and finding.rule not in COMMENT_RULES:
            rule = find_rule(finding.rule)
            silence = silence_in_file if rule is not None and rule.told_once else silence_in_line
            fix = Fix("write a comment", (silence(file, finding, plan.reason),), safe=True)
            yield replace(finding, fixes=(fix,))
