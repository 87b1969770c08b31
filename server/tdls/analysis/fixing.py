"""Application of fixes to a file.

Fixes are applied in rounds, since one fix can make room for another. A fix after which a rule finds more errors is not
applied.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections import Counter
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias

from tdls.analysis.checking.file_findings import found_in
from tdls.analysis.checking.fingerprint import fingerprint
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules import find_rule
from tdls.structs import NamedTuple, replace
from tdls.syntax.sections.facts import Fact
from tdls.text.level import Level
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.text.diagnostic import Diagnostic, Fingerprint, Fix, TextEdit

    Propose: TypeAlias = Callable[[SourceFile], Iterable[Diagnostic]]

_MOST_EDITS = 8


def with_edits(file: SourceFile, edits: Sequence[TextEdit]) -> SourceFile:
    """Return the version of `file` after `edits`, which are sorted and do not overlap."""
    if len(edits) > _MOST_EDITS:
        return _rewritten(file, edits)
    for edit in reversed(edits):
        file = file.edited(edit.span, edit.new_text)
    return file


def _rewritten(file: SourceFile, edits: Iterable[TextEdit]) -> SourceFile:
    """Read the new text as a whole, which costs less than many single edits."""
    text, pieces, end = file.text, [], 0
    for edit in edits:
        pieces += [text[end : edit.span.start], edit.new_text]
        end = edit.span.end
    new_text = "".join([*pieces, text[end:]])
    read = SourceFile.of(new_text, file.catalogue, split=file.sections.mode)
    return read.with_libraries(file.libraries, file.named_libraries).with_payload(file.payload)


@cache
def ranks_fixes(rule: str) -> bool:
    """Whether the fixes of a rule are ranked; a ranked fix is used only if a trial shows that it helps."""
    known = find_rule(rule)
    return known is not None and known.ranks_fixes


class ChosenFix(NamedTuple):
    """A fix with the finding that it resolves; spans are offsets in the file."""

    finding: Diagnostic
    fix: Fix


def choose(findings: Iterable[Diagnostic], *, unsafe: bool = False) -> list[ChosenFix]:
    """Return the fixes of `findings` that do not collide; of those that collide, the first.

    With `unsafe`, fixes that may change the behaviour of a script are included if they are ranked or the only one of
    their finding: the choice between several unranked fixes is left to the user.
    """
    chosen: list[ChosenFix] = []
    taken: list[FileSpan] = []
    for finding in findings:
        fix = next((fix for fix in finding.fixes if fix.safe), None)
        if fix is None and unsafe and finding.fixes and (len(finding.fixes) == 1 or ranks_fixes(finding.rule)):
            fix = finding.fixes[0]
        if fix is not None and all(_is_free(edit.span, taken) for edit in fix.edits):
            chosen.append(ChosenFix(finding, fix))
            for edit in fix.edits:
                insort(taken, edit.span)
    return chosen


def sorted_edits(chosen: Iterable[ChosenFix]) -> tuple[TextEdit, ...]:
    """Return all edits of `chosen` in the order of the text."""
    return tuple(sorted((edit for chosen_fix in chosen for edit in chosen_fix.fix.edits), key=lambda edit: edit.span))


def _is_free(span: FileSpan, taken: Sequence[FileSpan]) -> bool:
    """Whether `span` is apart from all of `taken`, which are sorted and do not overlap.

    Two insertions at one offset are not apart: their order would be arbitrary.
    """
    place = bisect_left(taken, span.start, key=attrgetter("start"))
    follows = taken[place] if place < len(taken) else None
    if follows is not None and (follows.start == span.start or follows.start < span.end):
        return False
    return place == 0 or taken[place - 1].end <= span.start


def with_tried_fixes(file: SourceFile, finding: Diagnostic) -> Diagnostic:
    """Return `finding` with only those fixes that settle it and cause no other.

    Where there is none, a fix may make its operation readable, so that a run reports another mistake of the operation.
    Only the sections that a fix changes are checked again, once for each version of the file.
    """
    if not finding.fixes:
        return finding
    known = _tried(file)
    if finding not in known:
        tried = [(fix, list(_objections(file, finding, fix))) for fix in finding.fixes]
        helpful = [fix for fix, objections in tried if not objections]
        if not helpful and not _shows_when_run(finding):
            helpful = [fix for fix, new in tried if all(map(_shows_when_run, new)) and _keeps_names(file, fix)]
        known[finding] = replace(finding, fixes=tuple(helpful))
    return known[finding]


@Fact
def _tried(file: SourceFile) -> dict[Diagnostic, Diagnostic]:
    """Cache of findings with their helpful fixes, filled on demand."""
    del file
    return {}


def _shows_when_run(finding: Diagnostic) -> bool:
    rule = find_rule(finding.rule)
    return rule is not None and (rule.shows_when_run or rule.is_silent)


_NAME = re.compile(r"[%@!#^][\w$.-]*|\"[^\"\n]*\"|\b\d[\w.]*")


def _keeps_names(file: SourceFile, fix: Fix) -> bool:
    """Whether `fix` replaces no value, symbol, type or number: another mistake with them does not come from it."""
    removed = Counter(name for edit in fix.edits for name in _NAME.findall(file.text[slice(*edit.span)]))
    return removed == Counter(name for edit in fix.edits for name in _NAME.findall(edit.new_text))


def _objections(file: SourceFile, finding: Diagnostic, fix: Fix) -> Iterator[Diagnostic]:
    """Yield `finding` unless `fix` settles it, and findings that were not there, in an equal line or place, or hidden.

    One mistake hides others: nothing is known of an unknown name. So an unranked fix may show findings in lines that
    it does not edit, and at names that it does not write.
    """
    edits = sorted(fix.edits, key=lambda edit: edit.span)
    changed = with_edits(file, edits)
    if changed.text == file.text:
        yield finding
        return
    is_ranked = ranks_fixes(finding.rule)
    before = [*counting(differing(file, changed))]
    lines = Counter(fingerprint(file, known) for known in before)
    places = Counter((known.rule, _moved(known.span.start, edits)) for known in before)
    lines[fingerprint(file, finding)] -= 1
    places[finding.rule, _moved(finding.span.start, edits)] -= 1
    for left in counting(differing(changed, file)):
        line, place = fingerprint(changed, left), (left.rule, left.span.start)
        if lines[line] > 0:
            lines[line] -= 1
        elif places[place] > 0:
            places[place] -= 1
        elif is_ranked or (left.level is not Level.HINT and not _was_hidden(left, changed, edits)):
            yield left


def _was_hidden(finding: Diagnostic, changed: SourceFile, edits: Sequence[TextEdit]) -> bool:
    """Whether a finding in the version after `edits` is apart from them: in another line, or at a name in the same."""
    starts = [_moved(edit.span.start, edits) for edit in edits]
    written = [FileSpan(start, start + len(edit.new_text)) for start, edit in zip(starts, edits, strict=True)]
    line = changed.position(finding.span.start).line
    if not any(changed.position(span.start).line <= line <= changed.position(span.end).line for span in written):
        return True
    rule = find_rule(finding.rule)
    is_of_name = rule is not None and rule.holds_for_any_definition
    return is_of_name and not any(finding.span.start <= span.end and span.start <= finding.span.end for span in written)


def _moved(offset: int, edits: Sequence[TextEdit]) -> int:
    """Return the place of `offset` after `edits`, which are sorted: of replaced text, its beginning."""
    before = [edit for edit in edits if edit.span.end <= offset]
    around = next((edit.span.start for edit in edits if edit.span.start < offset < edit.span.end), offset)
    return around + sum(len(edit.new_text) - (edit.span.end - edit.span.start) for edit in before)


def differing(file: SourceFile, version: SourceFile) -> list[Context]:
    """Return the contexts of the sections of `file` that `version`, another version of it, does not have."""
    shared = {id(piece.section) for piece in version.sections.pieces}
    sections = {id(piece.section): piece.section for piece in file.sections.pieces if id(piece.section) not in shared}
    return [file.context_of(section) for section in sections.values()]


def complaints(file: SourceFile, contexts: Iterable[Context]) -> Counter[Fingerprint]:
    """Count the findings that a tried fix must not add: all certain ones, and all about handles."""
    return Counter(fingerprint(file, finding) for finding in counting(contexts))


def counting(contexts: Iterable[Context]) -> Iterator[Diagnostic]:
    """Yield the findings in sections that a tried fix must not add."""
    findings = (finding for context in contexts for finding in found_in(context))
    return (finding for finding in findings if finding.level is not Level.HINT or ranks_fixes(finding.rule))


def is_settled(before: Counter[Fingerprint], after: Counter[Fingerprint], settled: Iterable[Fingerprint]) -> bool:
    """Whether the findings `after` are among those `before` without the `settled` ones."""
    return after <= before - Counter(settled)


_MOST_ROUNDS = 100
_Identity: TypeAlias = "tuple[str, str, str, str]"


class Change(NamedTuple):
    """A fix that was applied or taken back; `line` (0-based) is that of its finding when it was tried."""

    rule: str
    title: str
    line: int


class Fixed(NamedTuple):
    """Result of `fix_in_rounds`."""

    file: SourceFile
    applied: tuple[Change, ...]
    taken_back: tuple[Change, ...]
    """Fixes that would have added errors."""
    is_settled: bool
    """False if fixes undo each other, or the limit of rounds was reached."""


def fix_in_rounds(file: SourceFile, propose: Propose, *, unsafe: bool = False) -> Fixed:
    """Apply the fixes of the findings that `propose` returns, until there are none left.

    Fixes that collide wait for the next round. A fix after which any rule finds more errors in the file than before is
    not applied. Ranked fixes get rounds of their own: one that does not settle its finding, or causes another one,
    gives way to the next. Raises nothing; no fix is half applied.
    """
    return _Rounds(file, propose, unsafe).run()


class _KeptRound(NamedTuple):
    """Fixes of one round, the version after them, the number of errors of each rule there, and its complaints."""

    fixes: tuple[ChosenFix, ...]
    after: SourceFile
    errors: Counter[str]
    complaints: Counter[Fingerprint]
    """Findings that ranked fixes must not add; empty in rounds of unranked ones."""


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
        """Apply fixes until there are none left to choose, or an earlier text comes up again."""
        is_settled = False
        for _ in range(_MOST_ROUNDS):
            chosen = self._choose()
            if not chosen:
                is_settled = True
                break
            kept = self._extended(self._kept((), self._file, is_ranked=_is_ranked(chosen[0])), chosen)
            if kept.fixes and kept.after.text in self._seen:
                break
            self._applied += [change_of(self._file, chosen_fix) for chosen_fix in kept.fixes]
            self._seen.add(kept.after.text)
            self._file = kept.after
        return Fixed(self._file, tuple(self._applied), tuple(self._taken_back.values()), is_settled)

    def _choose(self) -> list[ChosenFix]:
        proposed = self._propose(self._file)
        if self._unsafe:
            proposed = [
                finding  # a round tries ranked fixes later, and need not try safe ones
                if ranks_fixes(finding.rule) or any(fix.safe for fix in finding.fixes)
                else with_tried_fixes(self._file, finding)
                for finding in proposed
            ]
        if self._taken_back or self._refused:
            proposed = [replace(finding, fixes=self._untried(finding)) for finding in proposed]
        chosen = choose(proposed, unsafe=self._unsafe)
        unranked = [chosen_fix for chosen_fix in chosen if not _is_ranked(chosen_fix)]
        return unranked or chosen

    def _untried(self, finding: Diagnostic) -> tuple[Fix, ...]:
        """Return the fixes of `finding` that may still be chosen: none if an unranked one was taken back."""
        identities = [self._fingerprint(finding, fix.title) for fix in finding.fixes]
        if any(fingerprint in self._taken_back for fingerprint in identities):
            return ()
        return tuple(
            fix for fix, fingerprint in zip(finding.fixes, identities, strict=True) if fingerprint not in self._refused
        )

    def _kept(self, fixes: tuple[ChosenFix, ...], after: SourceFile, *, is_ranked: bool) -> _KeptRound:
        findings = (finding for context in after.contexts for finding in found_in(context))
        # Silenced errors count, too, and settings do not matter.
        errors = Counter(finding.rule for finding in findings if finding.level is Level.ERROR)
        return _KeptRound(fixes, after, errors, complaints(after, after.contexts) if is_ranked else Counter())

    def _extended(self, kept: _KeptRound, chosen: Sequence[ChosenFix]) -> _KeptRound:
        """Apply `chosen`, all ranked or all unranked, in addition to `kept`; on failure, search both halves."""
        fixes = (*kept.fixes, *chosen)
        is_ranked = _is_ranked(chosen[0])
        extended = self._kept(fixes, with_fixes(self._file, fixes), is_ranked=is_ranked)
        settled = [fingerprint(self._file, chosen_fix.finding) for chosen_fix in chosen] if is_ranked else []
        if extended.errors <= kept.errors and is_settled(kept.complaints, extended.complaints, settled):
            return extended
        if len(chosen) == 1:
            own = self._fingerprint(chosen[0].finding, chosen[0].fix.title)
            if is_ranked:
                self._refused.add(own)
            else:
                self._taken_back[own] = change_of(self._file, chosen[0])
            return kept
        half = len(chosen) // 2
        return self._extended(self._extended(kept, chosen[:half]), chosen[half:])

    def _fingerprint(self, finding: Diagnostic, title: str) -> _Identity:
        """Return the parts of a fix that stay the same while other parts of the file change."""
        line = self._file.line_text(self._file.position(finding.span.start).line)
        return finding.rule, finding.message, title, line


def with_fixes(file: SourceFile, chosen: Iterable[ChosenFix]) -> SourceFile:
    """Return the version of `file` after fixes that do not collide."""
    return with_edits(file, sorted_edits(chosen))


def _is_ranked(chosen_fix: ChosenFix) -> bool:
    return not chosen_fix.fix.safe and ranks_fixes(chosen_fix.finding.rule)


def change_of(file: SourceFile, chosen_fix: ChosenFix) -> Change:
    """Return a fix as a change of `file`."""
    return Change(chosen_fix.finding.rule, chosen_fix.fix.title, file.position(chosen_fix.finding.span.start).line)
