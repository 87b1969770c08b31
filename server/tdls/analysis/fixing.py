"""Fixing a file in rounds: fixes make room for others, and none may do damage."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from dataclasses import replace
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tdls.analysis.checking.file_findings import found_in
from tdls.analysis.checking.fingerprint import fingerprint
from tdls.analysis.file.facts import FileFact
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules import find_rule
from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tdls.analysis.checking.fingerprint import Fingerprint
    from tdls.analysis.file.context import Context
    from tdls.text.diagnostic import Diagnostic, Fix, TextEdit
    from tdls.text.span import FileSpan

    Propose: TypeAlias = Callable[[SourceFile], Iterable[Diagnostic]]

_MOST_EDITS = 8


def with_edits(file: SourceFile, edits: Sequence[TextEdit]) -> SourceFile:
    """Return the version of `file` after `edits`, which are in the order of the text and do not overlap."""
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
    read = SourceFile.of(new_text, file.catalogue, split=file.sections.mode, libraries=file.libraries)
    return read.with_payload(file.payload)


@cache
def ranks_fixes(rule: str) -> bool:
    """Tell whether the fixes of a rule are ranked, and count only where a trial says that they help."""
    known = find_rule(rule)
    return known is not None and known.ranks_fixes


class ChosenFix(NamedTuple):
    """A fix, and what it is for; places count from the file."""

    finding: Diagnostic
    fix: Fix


def choose(findings: Iterable[Diagnostic], *, unsafe: bool = False) -> list[ChosenFix]:
    """Return the fixes of `findings` that do not get in each other's way; of those that do, the first.

    With `unsafe` they include those that may change what a script does, where they are ranked, or there is one only:
    which of several is meant is for people to say otherwise.
    """
    chosen: list[ChosenFix] = []
    taken: list[FileSpan] = []
    for candidate in _applicable(findings, unsafe):
        if all(_is_free(edit.span, taken) for edit in candidate.fix.edits):
            chosen.append(candidate)
            for edit in candidate.fix.edits:
                insort(taken, edit.span)
    return chosen


def sorted_edits(chosen: Iterable[ChosenFix]) -> tuple[TextEdit, ...]:
    """Return all edits of `chosen` in the order of the text."""
    return tuple(sorted((edit for chosen_fix in chosen for edit in chosen_fix.fix.edits), key=lambda edit: edit.span))


def _applicable(findings: Iterable[Diagnostic], unsafe: bool) -> Iterator[ChosenFix]:
    for finding in findings:
        fix = next((fix for fix in finding.fixes if fix.safe), None)
        if fix is None and unsafe and finding.fixes and (len(finding.fixes) == 1 or ranks_fixes(finding.rule)):
            fix = finding.fixes[0]
        if fix is not None:
            yield ChosenFix(finding, fix)


def _is_free(span: FileSpan, taken: Sequence[FileSpan]) -> bool:
    """Tell whether `span` has nothing in common with those that are `taken`, which are sorted and do not overlap.

    Insertions at one place are not free of each other: their order would be chance.
    """
    place = bisect_left(taken, span.start, key=attrgetter("start"))
    follows = taken[place] if place < len(taken) else None
    if follows is not None and (follows.start == span.start or follows.start < span.end):
        return False
    return place == 0 or taken[place - 1].end <= span.start


def with_tried_fixes(file: SourceFile, finding: Diagnostic) -> Diagnostic:
    """Return `finding` with those of its fixes only that settle it and bring nothing new; other rules' fixes are kept.

    Only the sections that a fix changes are looked at again, once for each version.
    """
    if not ranks_fixes(finding.rule) or not finding.fixes:
        return finding
    known = _tried(file)
    if finding not in known:
        known[finding] = replace(finding, fixes=tuple(fix for fix in finding.fixes if _helps(file, finding, fix)))
    return known[finding]


@FileFact
def _tried(file: SourceFile) -> dict[Diagnostic, Diagnostic]:
    """Return a place for what became of findings, as far as they are asked for."""
    del file
    return {}


def _helps(file: SourceFile, finding: Diagnostic, fix: Fix) -> bool:
    changed = with_edits(file, sorted(fix.edits, key=lambda edit: edit.span))
    before, after = complaints(file, _others(file, changed)), complaints(changed, _others(changed, file))
    return is_settled(before, after, [fingerprint(file, finding)])


def _others(file: SourceFile, version: SourceFile) -> list[Context]:
    """Return the contexts of the sections of `file` that another `version` of it does not have."""
    shared = {id(piece.section) for piece in version.sections.pieces}
    sections = {id(piece.section): piece.section for piece in file.sections.pieces if id(piece.section) not in shared}
    return [file.context_of(section) for section in sections.values()]


def complaints(file: SourceFile, contexts: Iterable[Context]) -> Counter[Fingerprint]:
    """Count what must not become more by a fix that is tried: all that is certain, and all about handles."""
    found = (finding for context in contexts for finding in found_in(context) if _counts(finding))
    return Counter(fingerprint(file, finding) for finding in found)


def is_settled(before: Counter[Fingerprint], after: Counter[Fingerprint], settled: Iterable[Fingerprint]) -> bool:
    """Tell whether what was found `before` is found no more as often as `settled` says, and nothing else instead."""
    return after <= before - Counter(settled)


def _counts(finding: Diagnostic) -> bool:
    return finding.level is not Level.HINT or ranks_fixes(finding.rule)


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
    complaints: Counter[Fingerprint]
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
        identities = [self._fingerprint(finding, fix.title) for fix in finding.fixes]
        if any(fingerprint in self._taken_back for fingerprint in identities):
            return ()
        return tuple(
            fix for fix, fingerprint in zip(finding.fixes, identities, strict=True) if fingerprint not in self._refused
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
        settled = [fingerprint(self._file, chosen_fix.finding) for chosen_fix in chosen] if is_ranked else []
        if extended.errors <= kept.errors and is_settled(kept.complaints, extended.complaints, settled):
            return extended
        if len(chosen) == 1:
            self._give_up(chosen[0])
            return kept
        half = len(chosen) // 2
        return self._extended(self._extended(kept, chosen[:half]), chosen[half:])

    def _give_up(self, chosen_fix: ChosenFix) -> None:
        own = self._fingerprint(chosen_fix.finding, chosen_fix.fix.title)
        if _is_ranked(chosen_fix):
            self._refused.add(own)
        else:
            self._taken_back[own] = _change(self._file, chosen_fix)

    def _fingerprint(self, finding: Diagnostic, title: str) -> _Identity:
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
