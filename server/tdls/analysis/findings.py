"""The findings in a file while it is edited: what is known already, and what is still to be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.context import Question
from tdls.analysis.repetitions import without_repetitions
from tdls.analysis.source_file import SourceFile, called_symbols, mentions_transform
from tdls.analysis.suppression.silencing import settled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tdls.semantic.types import TypeTexts
    from tdls.syntax.sectioned_text import Replaced
    from tdls.syntax.sections import Piece, Section
    from tdls.text.diagnostic import Diagnostic

_ASKING_FOR_OTHERS = frozenset({"lookup", "called", "payload"})


class Findings:
    """Follows the versions of one file. Sections that mention transform operations are looked at before the others."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self._found: dict[int, Section] = {}
        """Sections with findings, by identity; the findings themselves are kept with the section."""
        self._asking: dict[int, Section] = {}
        """Sections whose findings may change whenever another section does."""
        self._urgent: dict[int, Section] = {}
        self._rest: dict[int, Section] = {}
        self._aside: dict[int, Section] = {}
        """Sections that somebody else looks at."""
        self._add(piece.section for piece in file.sections.pieces if piece.begins_section)

    def advance(self, file: SourceFile) -> None:
        """Go on with `file`, which was made from the present version by one edit or by other libraries."""
        before, self.file = self.file, file
        replaced = file.sections.replaced
        if replaced is None or not file.has_structure_of_predecessor or not _share_types(before, file):
            self._start_again()
            return
        for piece in replaced.before:
            for known in (self._found, self._asking, self._urgent, self._rest):
                known.pop(id(piece.section), None)
        changed = _Changed(replaced)
        self._urgent.update((id(section), section) for section in self._asking.values() if changed.concerns(section))
        for section in (piece.section for piece in replaced.after):
            (self._rest if _holds_up(section) else self._urgent)[id(section)] = section

    def _start_again(self) -> None:
        for known in (self._found, self._asking, self._urgent, self._rest):
            known.clear()
        self._add(piece.section for piece in self.file.sections.pieces if piece.begins_section)

    def _add(self, sections: Iterable[Section]) -> None:
        for section in sections:
            is_urgent = mentions_transform(section) and not _holds_up(section)
            if id(section) not in self._aside:
                (self._urgent if is_urgent else self._rest)[id(section)] = section

    # Work

    @property
    def has_urgent_work(self) -> bool:
        """True until every section that mentions transform operations was looked at."""
        return bool(self._urgent)

    @property
    def is_complete(self) -> bool:
        """True when every section of the present version was looked at."""
        return not self._urgent and not self._rest

    def work(self, should_stop: Callable[[], bool], *, urgent_only: bool = False) -> None:
        """Look at sections until there are none left, or none that are urgent, or `should_stop`; at one at least."""
        while self._urgent or (self._rest and not urgent_only):
            self._look_at_one()
            if should_stop():
                return

    def _look_at_one(self) -> None:
        queue = self._urgent or self._rest
        identity = next(iter(queue))
        section = queue.pop(identity)
        context = self.file.context_of(section)
        has_findings, asked = self.file.look_at(context)
        if has_findings:
            self._found[identity] = section
        else:
            self._found.pop(identity, None)
        if any(question.kind in _ASKING_FOR_OTHERS for question in asked):
            self._asking[identity] = section

    def unread(self) -> list[Section]:
        """Return the sections that nobody has looked at in any version, but for those that are urgent."""
        return [section for section in self._rest.values() if "findings" not in section.derived]

    def accept(self, section: Section, found: tuple[Diagnostic, ...], types: TypeTexts) -> None:
        """Keep what was found in `section` elsewhere, where nothing but the canonical texts `types` was asked for."""
        section.derived["findings"] = (found, {Question(None, "types"): types})

    def set_aside(self, sections: Iterable[Section]) -> None:
        """Take sections that somebody else looks at from the work to do; `return_` gives them back."""
        for section in sections:
            self._rest.pop(id(section), None)
            self._aside[id(section)] = section

    def return_(self, sections: Iterable[Section]) -> None:
        """Put back those of `sections` that still belong to the file; what was found out about them is kept there."""
        for section in sections:
            self._aside.pop(id(section), None)
        self._add(section for section in sections if self.file.index_of(section) is not None)

    # Results

    def diagnostics(self) -> list[Diagnostic]:
        """Return what is known to be found in the present version, in the order of the text."""
        known = (self.file.context_of(section) for section in self._found.values())
        found = [finding for context in known for finding in self.file.found_in(context)]
        kept = settled(self.file, found, is_complete=self.is_complete and not self._aside)
        return without_repetitions(sorted(kept, key=lambda finding: (finding.span, finding.rule, finding.message)))


def _holds_up(section: Section) -> bool:
    """Tell whether the section is still to be read, and would hold up everything else."""
    return section.is_large and not section.is_read


class _Changed:
    """What an edit replaced, as far as the findings of other sections may rest on it."""

    def __init__(self, replaced: Replaced) -> None:
        self._gone = {id(piece.section) for piece in replaced.before}
        before, after = (frozenset[str]().union(*map(_called, run)) for run in (replaced.before, replaced.after))
        self._called = before ^ after

    def concerns(self, section: Section) -> bool:
        """Tell whether what was asked for the findings in `section` may have another answer now."""
        _, asked = section.derived["findings"]
        return any(self._decides(question, answer) for question, answer in asked.items())

    def _decides(self, question: Question, answer: object) -> bool:
        if question.kind == "called":
            return question.arguments[0] in self._called
        if question.kind == "payload":
            return True
        if question.kind != "lookup":
            return False
        return answer is None or id(answer) in self._gone or id(question.section) in self._gone


def _called(piece: Piece) -> frozenset[str]:
    return called_symbols(piece.section) if mentions_transform(piece.section) else frozenset()


def _share_types(before: SourceFile, after: SourceFile) -> bool:
    return all(after.types(part) is before.types(part) for part in after.parts)
