"""Which fixes of a file can be applied at once."""

from __future__ import annotations

from bisect import bisect_left, insort
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.fixing.ranking import ranks_fixes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.text.diagnostic import Diagnostic, Fix, TextEdit
    from tdls.text.span import FileSpan


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
