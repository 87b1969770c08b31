"""Findings in a file while it is edited: those known already, and queues of the sections still to check."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from tdls.analysis.checking.file_findings import failures_of, findings_of, reported
from tdls.analysis.file.prefilter import mentions_transform
from tdls.analysis.file.queries import ANYTHING, Change, ChangeKind, calls_by_name
from tdls.analysis.file.source_file import SourceFile, called_symbols, executed_matchers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tdls.analysis.checking.file_findings import RuleFailure
    from tdls.analysis.file.context import Context
    from tdls.syntax.sections.sectioned_text import Replaced
    from tdls.syntax.sections.sections import Section
    from tdls.text.diagnostic import Diagnostic


_PROMPT = 8
"""Number of windows of a long section that are checked before findings are shown: changed ones first, from the top."""


class Findings:
    """Findings in the versions of one file.

    Sections affected by edits are checked first, then sections that mention transform operations, then the others.
    """

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self._found: dict[int, Section] = {}
        """Sections with findings or failed rules, by identity; the findings are kept with the section."""
        self._rests_on: dict[int, frozenset[Change]] = {}
        """The changes inside other sections that may change the findings of a section, by its identity."""
        self._resting: dict[Change, dict[int, Section]] = {}
        """The same by change: sections, by identity."""
        self._affected: dict[int, Section] = {}
        """Sections affected by edits."""
        self._was_edited = False
        self._urgent: dict[int, Section] = {}
        self._rest: dict[int, Section] = {}
        self._heavy: dict[int, Section] = {}
        """Sections to check, but not by `work`: each of them would delay all others."""
        self._left: dict[int, list[Context]] = {}
        """The windows left to check of long sections under way, the next one last, by the section's identity."""
        self._add(piece.section for piece in file.sections.pieces if piece.begins_section)

    def advance(self, file: SourceFile) -> None:
        """Switch to `file`, which was made from the present version by one edit or by other libraries."""
        before, self.file = self.file, file
        self._left.clear()
        replaced = file.sections.replaced
        if (
            replaced is None
            or not file.has_structure_of_predecessor
            or not all(file.types(part) is before.types(part) for part in file.parts)
        ):
            self._start_again()
            return
        for piece in replaced.before:
            self._note_grounds(piece.section, frozenset())
            for known in self._all:
                known.pop(id(piece.section), None)
        self._was_edited = True
        resting = [self._resting.get(change, {}) for change in _changes(replaced)]
        for section in [section for sections in resting for section in sections.values()]:
            self._plan(section, self._affected)
        for section in (piece.section for piece in replaced.after):
            self._plan(section, self._rest if _delays_others(section) else self._affected)

    def _start_again(self) -> None:
        for known in self._all:
            known.clear()
        self._rests_on.clear()
        self._resting.clear()
        self._was_edited = False
        self._add(piece.section for piece in self.file.sections.pieces if piece.begins_section)

    def _add(self, sections: Iterable[Section]) -> None:
        for section in sections:
            is_urgent = (mentions_transform(section) or section.is_left_out) and not _delays_others(section)
            self._plan(section, self._urgent if is_urgent else self._rest)

    def _plan(self, section: Section, queue: dict[int, Section]) -> None:
        """Queue a section. The findings of a heavy one are dropped until it is checked."""
        if section.is_large and not findings_of.holds(self.file.context_of(section)):
            self._found.pop(id(section), None)
            queue = self._heavy
        for other in (self._urgent, self._rest):
            other.pop(id(section), None)
        queue[id(section)] = section

    @property
    def _all(self) -> tuple[dict[int, Section], ...]:
        return self._found, self._affected, self._urgent, self._rest, self._heavy

    # Work

    @property
    def has_urgent_work(self) -> bool:
        """True until every section that mentions transform operations, or is affected by edits, is checked."""
        return bool(self._affected or self._urgent)

    @property
    def is_behind_edit(self) -> bool:
        """True until every section that is affected by edits is checked."""
        return bool(self._affected)

    @property
    def is_presentable(self) -> bool:
        """True when findings can be shown: sections affected by edits, or before any edit urgent ones, are checked."""
        return not self._affected if self._was_edited else not self._urgent

    @property
    def has_work(self) -> bool:
        """True while `work` has sections to check."""
        return bool(self._affected or self._urgent or self._rest)

    @property
    def is_complete(self) -> bool:
        """True when every section of the present version is checked."""
        return not self.has_work and not self._heavy

    @property
    def left(self) -> int:
        """Number of sections still to check; for any thread."""
        return sum(map(len, (self._affected, self._urgent, self._rest, self._heavy)))

    def work(self, should_stop: Callable[[], bool], *, urgent_only: bool = False) -> None:
        """Check sections, one at least, until none are left, or none that are urgent, or `should_stop` returns true."""
        while self._affected or self._urgent or (self._rest and not urgent_only):
            self._check_one(self._affected or self._urgent or self._rest)
            if should_stop():
                return

    @property
    def has_heavy(self) -> bool:
        """True while `check_heavy` has sections to check."""
        return bool(self._heavy)

    def check_heavy(self) -> None:
        """Check one section that `work` leaves out, since it takes longer than anything else may wait."""
        self._check_one(self._heavy)

    def _check_one(self, queue: dict[int, Section]) -> None:
        identity = next(iter(queue))
        section = queue.pop(identity)
        readable = self.file.context_of(section).readable
        left = self._left.pop(identity, None) or sorted(readable, key=_urgency)
        findings = findings_of.with_questions(left.pop())
        if any(findings.value):
            self._found[identity] = section
        elif len(readable) == 1:
            self._found.pop(identity, None)
        grounds = (query.question.rests_on(query, answer) for query, answer in findings.answers.items())
        known = self._rests_on.get(identity, ()) if len(readable) > 1 else ()
        self._note_grounds(section, frozenset(chain(known, *grounds)))
        if left:
            self._left[identity] = left
            is_prompt = len(readable) - len(left) < _PROMPT
            (queue if is_prompt else self._rest)[identity] = section

    def _note_grounds(self, section: Section, changes: frozenset[Change]) -> None:
        before = self._rests_on.pop(id(section), frozenset())
        for change in before - changes:
            del self._resting[change][id(section)]
        for change in changes - before:
            self._resting.setdefault(change, {})[id(section)] = section
        if changes:
            self._rests_on[id(section)] = changes

    # Results

    def diagnostics(self) -> list[Diagnostic]:
        """Return the findings known for the present version, in the order of the text."""
        return reported(self.file, self._contexts, is_complete=self.is_complete)

    def failures(self) -> list[RuleFailure]:
        """Return the rules known to fail in the present version."""
        return failures_of(self._contexts)

    @property
    def _contexts(self) -> list[Context]:
        contexts = (each for section in self._found.values() for each in self.file.context_of(section).readable)
        return [each for each in contexts if each.window is None or findings_of.known(each.section) is not None]


def _urgency(context: Context) -> tuple[bool, int]:
    """Return the key by which windows are sorted, the most urgent one last: new ones first, from the top."""
    return (context.window.is_new, -context.window.start) if context.window is not None else (True, 0)


def _delays_others(section: Section) -> bool:
    """Whether the section is not read yet, and reading it would delay all others."""
    return section.is_large and not section.is_read


def _changes(replaced: Replaced) -> Iterator[Change]:
    """Yield what an edit that leaves all sections and their definitions in place does."""
    yield ANYTHING
    before, after = ([piece.section for piece in run] for run in (replaced.before, replaced.after))
    called_before, called_after = (
        {symbol for each in run for symbol in called_symbols(each)} for run in (before, after)
    )
    if list(map(calls_by_name, before)) != list(map(calls_by_name, after)):
        yield Change(ChangeKind.CALLS)
    yield from (Change(ChangeKind.SECTION, id(section)) for section in before)
    yield from (Change(ChangeKind.CALLED, symbol) for symbol in called_before ^ called_after)
    yield from (Change(ChangeKind.MATCHER, symbol) for section in after for symbol in executed_matchers(section))
