"""Fixing a file in rounds: fixes make room for others, and none may do damage."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tdls.analysis.checking.identity import identity
from tdls.analysis.checking.section_findings import found_in
from tdls.analysis.fixing.application import with_edits
from tdls.analysis.fixing.choice import ChosenFix, choose, sorted_edits
from tdls.analysis.fixing.ranking import ranks_fixes
from tdls.analysis.fixing.trial import complaints, is_settled
from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.analysis.checking.identity import Identity
    from tdls.analysis.file.source_file import SourceFile
    from tdls.text.diagnostic import Diagnostic, Fix

    Propose: TypeAlias = Callable[[SourceFile], Iterable[Diagnostic]]

_MOST_ROUNDS = 100
_Identity: TypeAlias = "tuple[str, str, str, str]"


class Change(NamedTuple):
    """A fix that was applied, or taken back; `line` (0-based) is where its finding was when it was tried."""

    rule: str
    title: str
    line: int


class Fixed(NamedTuple):
    """What became of a file."""

    file: SourceFile
    applied: tuple[Change, ...]
    taken_back: tuple[Change, ...]
    """Fixes after which there would have been more errors than before."""
    is_settled: bool
    """False if fixes undo each other, or there is no end to them."""


def fix_in_rounds(file: SourceFile, propose: Propose, *, unsafe: bool = False) -> Fixed:
    """Apply the fixes of the findings that `propose` gives, until there are none left.

    Fixes that collide wait for the next round. A fix after which any rule finds more errors in the file than before is
    not applied. Ranked fixes get rounds of their own: one that does not settle its finding, or brings another one,
    makes room for the next. Raises nothing; no fix is half applied.
    """
    return _Rounds(file, propose, unsafe).run()


class _KeptRound(NamedTuple):
    """Fixes of one round, the version after them, how many errors each rule finds there, and what else counts then."""

    fixes: tuple[ChosenFix, ...]
    after: SourceFile
    errors: Counter[str]
    complaints: Counter[Identity]
    """What must not become more by ranked fixes; empty where there are none."""


class _Rounds:
    def __init__(self, file: SourceFile, propose: Propose, unsafe: bool) -> None:
        self._file = file
        self._propose = propose
        self._unsafe = unsafe
        self._applied: list[Change] = []
        self._taken_back: dict[_Identity, Change] = {}
        self._refused: set[_Identity] = set()
        """Ranked fixes that did not help."""
        self._seen = {file.text}

    def run(self) -> Fixed:
        """Apply fixes until there is nothing left to choose, or the same text comes again."""
        is_settled = False
        for _ in range(_MOST_ROUNDS):
            chosen = self._choose()
            if not chosen:
                is_settled = True
                break
            file, applied = self._apply(chosen)
            if applied and file.text in self._seen:
                break
            self._applied += [_change(self._file, chosen_fix) for chosen_fix in applied]
            self._seen.add(file.text)
            self._file = file
        return Fixed(self._file, tuple(self._applied), tuple(self._taken_back.values()), is_settled)

    def _choose(self) -> list[ChosenFix]:
        proposed = self._propose(self._file)
        if self._taken_back or self._refused:
            proposed = [replace(finding, fixes=self._untried(finding)) for finding in proposed]
        chosen = choose(proposed, unsafe=self._unsafe)
        unranked = [chosen_fix for chosen_fix in chosen if not _is_ranked(chosen_fix)]
        return unranked or chosen

    def _untried(self, finding: Diagnostic) -> tuple[Fix, ...]:
        """Return the fixes of `finding` that may still be chosen: none, if one was taken back that is not ranked."""
        identities = [self._identity(finding, fix.title) for fix in finding.fixes]
        if any(identity in self._taken_back for identity in identities):
            return ()
        return tuple(
            fix for fix, identity in zip(finding.fixes, identities, strict=True) if identity not in self._refused
        )

    def _apply(self, chosen: Sequence[ChosenFix]) -> tuple[SourceFile, Sequence[ChosenFix]]:
        """Apply all fixes of `chosen`, which are ranked or are not, but for those that are not to be applied."""
        kept = self._extended(self._kept((), self._file, is_ranked=_is_ranked(chosen[0])), chosen)
        return kept.after, kept.fixes

    def _kept(self, fixes: tuple[ChosenFix, ...], after: SourceFile, *, is_ranked: bool) -> _KeptRound:
        found = complaints(after, after.contexts) if is_ranked else Counter()
        return _KeptRound(fixes, after, _errors(after), found)

    def _extended(self, kept: _KeptRound, chosen: Sequence[ChosenFix]) -> _KeptRound:
        """Apply `chosen` besides what is kept; where that does not help, look in both halves for the cause."""
        fixes = (*kept.fixes, *chosen)
        is_ranked = _is_ranked(chosen[0])
        extended = self._kept(fixes, with_fixes(self._file, fixes), is_ranked=is_ranked)
        settled = [identity(self._file, chosen_fix.finding) for chosen_fix in chosen] if is_ranked else []
        if extended.errors <= kept.errors and is_settled(kept.complaints, extended.complaints, settled):
            return extended
        if len(chosen) == 1:
            self._give_up(chosen[0])
            return kept
        half = len(chosen) // 2
        return self._extended(self._extended(kept, chosen[:half]), chosen[half:])

    def _give_up(self, chosen_fix: ChosenFix) -> None:
        own = self._identity(chosen_fix.finding, chosen_fix.fix.title)
        if _is_ranked(chosen_fix):
            self._refused.add(own)
        else:
            self._taken_back[own] = _change(self._file, chosen_fix)

    def _identity(self, finding: Diagnostic, title: str) -> _Identity:
        """What stays the same of a fix while other parts of the file change."""
        line = self._file.line_text(self._file.position(finding.span.start).line)
        return finding.rule, finding.message, title, line


def with_fixes(file: SourceFile, chosen: Iterable[ChosenFix]) -> SourceFile:
    """Return the version of `file` after fixes that do not collide."""
    return with_edits(file, sorted_edits(chosen))


def _is_ranked(chosen_fix: ChosenFix) -> bool:
    return not chosen_fix.fix.safe and ranks_fixes(chosen_fix.finding.rule)


def _change(file: SourceFile, chosen_fix: ChosenFix) -> Change:
    return Change(chosen_fix.finding.rule, chosen_fix.fix.title, file.position(chosen_fix.finding.span.start).line)


def _errors(file: SourceFile) -> Counter[str]:
    """Count errors by rule, silenced or not, whatever settings make of them."""
    found = (finding for context in file.contexts for finding in found_in(context))
    return Counter(finding.rule for finding in found if finding.level is Level.ERROR)
