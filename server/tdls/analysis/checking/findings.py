"""The findings in a file while it is edited: what is known already, and what is still to be looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.analysis.checking.file_findings import SectionFindings, failures_of, findings_of, told
from tdls.analysis.file.prefilter import mentions_transform
from tdls.analysis.file.queries import Asked, CallsByName, Changed, IsDefinedBefore, Types, calls_by_name
from tdls.analysis.file.source_file import SourceFile, called_symbols
from tdls.syntax.sections.section_facts import SectionMemory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tdls.analysis.checking.excerpts import ExcerptFindings
    from tdls.analysis.checking.file_findings import RuleFailure
    from tdls.analysis.file.context import Context
    from tdls.semantic.types import TypeTexts
    from tdls.syntax.sections.sectioned_text import Replaced
    from tdls.syntax.sections.sections import Section, SectionRange
    from tdls.text.diagnostic import Diagnostic


class Findings:
    """Follows the versions of one file.

    What edits concern is looked at first, then sections that mention transform operations, then the others.
    """

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self._found: dict[int, Section] = {}
        """Sections with findings, or failed rules, by identity; these themselves are kept with the section."""
        self._asking: dict[int, Section] = {}
        """Sections whose findings may change whenever another section does."""
        self._at_hand: dict[int, Section] = {}
        """Sections that edits concern."""
        self._was_edited = False
        self._urgent: dict[int, Section] = {}
        self._rest: dict[int, Section] = {}
        self._heavy: dict[int, Section] = {}
        """Sections that are to be looked at, but not by `work`: each of them would hold up everything else."""
        self._aside: dict[int, Section] = {}
        """Sections that somebody else looks at."""
        self._add(piece.section for piece in file.sections.pieces if piece.begins_section)

    def advance(self, file: SourceFile) -> None:
        """Go on with `file`, which was made from the present version by one edit or by other libraries."""
        before, self.file = self.file, file
        replaced = file.sections.replaced
        if (
            replaced is None
            or not file.has_structure_of_predecessor
            or not all(file.types(part) is before.types(part) for part in file.parts)
        ):
            self._start_again()
            return
        for piece in replaced.before:
            for known in self._all:
                known.pop(id(piece.section), None)
        self._was_edited = True
        changed = _changed(replaced)
        for section in [section for section in self._asking.values() if _is_concerned(section, changed)]:
            self._plan(section, self._at_hand)
        for section in (piece.section for piece in replaced.after):
            self._plan(section, self._rest if _holds_up(section) else self._at_hand)

    def _start_again(self) -> None:
        for known in self._all:
            known.clear()
        self._was_edited = False
        self._add(piece.section for piece in self.file.sections.pieces if piece.begins_section)

    def _add(self, sections: Iterable[Section]) -> None:
        for section in sections:
            is_urgent = mentions_transform(section) and not _holds_up(section)
            if id(section) not in self._aside:
                self._plan(section, self._urgent if is_urgent else self._rest)

    def _plan(self, section: Section, queue: dict[int, Section]) -> None:
        """Have a section looked at in its turn; what was found in one that is heavy is not known until then."""
        if section.is_large and not findings_of.holds(self.file.context_of(section)):
            self._found.pop(id(section), None)
            queue = self._heavy
        for other in (self._urgent, self._rest):
            other.pop(id(section), None)
        queue[id(section)] = section

    @property
    def _all(self) -> tuple[dict[int, Section], ...]:
        return self._found, self._asking, self._at_hand, self._urgent, self._rest, self._heavy

    # Work

    @property
    def has_urgent_work(self) -> bool:
        """True until every section that mentions transform operations, or that edits concern, was looked at."""
        return bool(self._at_hand or self._urgent)

    @property
    def is_presentable(self) -> bool:
        """True when what is found can be shown: all that edits concern was looked at, or without any what is urgent."""
        return not self._at_hand if self._was_edited else not self._urgent

    @property
    def has_work(self) -> bool:
        """True as long as there is something for `work` to do."""
        return bool(self._at_hand or self._urgent or self._rest)

    @property
    def is_complete(self) -> bool:
        """True when every section of the present version was looked at, by whomever."""
        return not self.has_work and not self._heavy and not self._aside

    @property
    def left(self) -> int:
        """How many sections are still to be looked at, by whomever; for any thread."""
        return sum(map(len, (self._at_hand, self._urgent, self._rest, self._heavy, self._aside)))

    def work(self, should_stop: Callable[[], bool], *, urgent_only: bool = False) -> None:
        """Look at sections until there are none left, or none that are urgent, or `should_stop`; at one at least."""
        while self._at_hand or self._urgent or (self._rest and not urgent_only):
            self._look_at_one()
            if should_stop():
                return

    def _look_at_one(self) -> None:
        queue = self._at_hand or self._urgent or self._rest
        identity = next(iter(queue))
        section = queue.pop(identity)
        context = self.file.context_of(section)
        found = findings_of.with_questions(context)
        if any(found.value):
            self._found[identity] = section
        else:
            self._found.pop(identity, None)
        if any(asked.question.rests_on_insides for asked in found.asked):
            self._asking[identity] = section

    def unread(self) -> list[Section]:
        """Return the sections that nobody has looked at in any version, but for those that are urgent."""
        planned = (*self._heavy.values(), *self._rest.values())
        unread = (section for section in planned if findings_of.known(section) is None)
        return [section for section in unread if not section.is_left_out and _as_excerpt(section).is_possible]

    def heavy(self) -> list[Section]:
        """Return the sections that somebody else has to look at, whether or not they ask for the rest of the file."""
        return list(self._heavy.values())

    def refuse(self, section: Section) -> None:
        """Note that `section` cannot be judged without its file."""
        _as_excerpt(section).is_possible = False

    def accept(self, section: Section, found: ExcerptFindings, types: TypeTexts) -> None:
        """Keep what was found in `section` elsewhere, where its file was asked for the canonical texts `types`, and for
        symbols that nothing before the section defines.

        What is known of operations there has to be what the section rests on here.
        """
        for question, arguments in found.asked:
            section.catalogue.ask(question, *arguments)
        undefined = {Asked(None, IsDefinedBefore(symbol)): False for symbol in found.symbols}
        findings_of.keep(section, SectionFindings(found.findings), {Asked(None, Types()): types, **undefined})

    def set_aside(self, sections: Iterable[Section]) -> None:
        """Take sections that somebody else looks at from the work to do; `return_` gives them back."""
        for section in sections:
            self._rest.pop(id(section), None)
            self._heavy.pop(id(section), None)
            self._aside[id(section)] = section

    def return_(self, sections: Iterable[Section]) -> None:
        """Put back those of `sections` that still belong to the file; what was found out about them is kept there."""
        for section in sections:
            self._aside.pop(id(section), None)
        self._add(section for section in sections if self.file.index_of(section) is not None)

    # Results

    def diagnostics(self) -> list[Diagnostic]:
        """Return what is known to be found in the present version, in the order of the text."""
        return told(self.file, self._contexts, is_complete=self.is_complete)

    def failures(self) -> list[RuleFailure]:
        """Return which rules are known to fail in the present version."""
        return failures_of(self._contexts)

    @property
    def _contexts(self) -> list[Context]:
        return [self.file.context_of(section) for section in self._found.values()]


def _holds_up(section: Section) -> bool:
    """Tell whether the section is still to be read, and would hold up everything else."""
    return section.is_large and not section.is_read


@dataclass(slots=True)
class _AsExcerpt:
    """Whether a section can be judged without its file, as far as anybody tried."""

    is_possible: bool = True


_as_excerpt: SectionMemory[_AsExcerpt] = SectionMemory(_AsExcerpt)


def _changed(replaced: Replaced) -> Changed:
    before, after = (frozenset[str]().union(*map(_called, run)) for run in (replaced.before, replaced.after))
    calls_before, calls_after = ([*map(_calls, run)] for run in (replaced.before, replaced.after))
    return Changed(
        frozenset(id(piece.section) for piece in replaced.before), before ^ after, calls_before != calls_after
    )


def _is_concerned(section: Section, changed: Changed) -> bool:
    """Tell whether what was asked for the findings in `section` may have another answer now."""
    kept = findings_of.known(section)
    return kept is not None and any(
        asked.question.may_differ(asked, answer, changed) for asked, answer in kept.asked.items()
    )


def _called(piece: SectionRange) -> frozenset[str]:
    return called_symbols(piece.section) if mentions_transform(piece.section) else frozenset()


def _calls(piece: SectionRange) -> CallsByName:
    return calls_by_name(piece.section)
