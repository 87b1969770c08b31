"""Fixing a file in rounds: fixes make room for others, and none may do damage."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tdls.analysis.checking.section_findings import found_in
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.fixing.choice import ChosenFix, choose, sorted_edits
from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.text.diagnostic import Diagnostic, TextEdit

    Propose: TypeAlias = Callable[[SourceFile], Iterable[Diagnostic]]

_MOST_ROUNDS = 100
_MOST_EDITS = 8
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
    not applied. Raises nothing; no fix is half applied.
    """
    return _Rounds(file, propose, unsafe).run()


class _KeptRound(NamedTuple):
    """Fixes of one round, the version after them, and how many errors each rule finds there."""

    fixes: tuple[ChosenFix, ...]
    after: SourceFile
    errors: Counter[str]


class _Rounds:
    def __init__(self, file: SourceFile, propose: Propose, unsafe: bool) -> None:
        self._file = file
        self._propose = propose
        self._unsafe = unsafe
        self._applied: list[Change] = []
        self._taken_back: dict[_Identity, Change] = {}
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
        if not self._taken_back:
            return choose(proposed, unsafe=self._unsafe)
        wanted = (
            candidate
            for candidate in proposed
            if not any(self._identity(candidate, title) in self._taken_back for title in _titles(candidate))
        )
        return choose(wanted, unsafe=self._unsafe)

    def _apply(self, chosen: Sequence[ChosenFix]) -> tuple[SourceFile, Sequence[ChosenFix]]:
        """Apply all fixes of `chosen` but for those that bring errors."""
        kept = _KeptRound((), self._file, _errors(self._file))
        kept = self._extended(kept, chosen)
        return kept.after, kept.fixes

    def _extended(self, kept: _KeptRound, chosen: Sequence[ChosenFix]) -> _KeptRound:
        """Apply `chosen` besides what is kept; where there are more errors then, look in both halves for the cause."""
        fixes = (*kept.fixes, *chosen)
        after = with_fixes(self._file, fixes)
        errors = _errors(after)
        if errors <= kept.errors:
            return _KeptRound(fixes, after, errors)
        if len(chosen) == 1:
            (chosen_fix,) = chosen
            self._taken_back[self._identity(chosen_fix.finding, chosen_fix.fix.title)] = _change(self._file, chosen_fix)
            return kept
        half = len(chosen) // 2
        return self._extended(self._extended(kept, chosen[:half]), chosen[half:])

    def _identity(self, finding: Diagnostic, title: str) -> _Identity:
        """What stays the same of a fix while other parts of the file change."""
        line = self._file.line_text(self._file.position(finding.span.start).line)
        return finding.rule, finding.message, title, line


def with_fixes(file: SourceFile, chosen: Iterable[ChosenFix]) -> SourceFile:
    """Return the version of `file` after fixes that do not collide."""
    edits = sorted_edits(chosen)
    if len(edits) > _MOST_EDITS:
        return _rewritten(file, edits)
    for edit in reversed(edits):
        file = file.edited(edit.span, edit.new_text)
    return file


def _rewritten(file: SourceFile, edits: Iterable[TextEdit]) -> SourceFile:
    """Many edits cost less if the file is read again than if it is edited so often."""
    text, pieces, end = file.text, [], 0
    for edit in edits:
        pieces += [text[end : edit.span.start], edit.new_text]
        end = edit.span.end
    new_text = "".join([*pieces, text[end:]])
    return SourceFile.of(new_text, file.catalogue, split=file.sections.mode, libraries=file.libraries)


def _titles(finding: Diagnostic) -> list[str]:
    return [fix.title for fix in finding.fixes]


def _change(file: SourceFile, chosen_fix: ChosenFix) -> Change:
    return Change(chosen_fix.finding.rule, chosen_fix.fix.title, file.position(chosen_fix.finding.span.start).line)


def _errors(file: SourceFile) -> Counter[str]:
    """Count errors by rule, silenced or not, whatever settings make of them."""
    found = (finding for context in file.contexts for finding in found_in(context))
    return Counter(finding.rule for finding in found if finding.level is Level.ERROR)
