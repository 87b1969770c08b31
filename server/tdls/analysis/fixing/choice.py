"""Which fixes of a file can be applied at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.text.diagnostic import Diagnostic, Fix, TextEdit


class ChosenFix(NamedTuple):
    """A fix, and what it is for; places count from the file."""

    finding: Diagnostic
    fix: Fix


def choose(findings: Iterable[Diagnostic], *, unsafe: bool = False) -> list[ChosenFix]:
    """Return the fixes of `findings` that do not get in each other's way; of those that do, the first.

    With `unsafe` they include those that may change what a script does, where there is one only: which of several is
    meant is for people to say.
    """
    chosen: list[ChosenFix] = []
    taken: list[TextEdit] = []
    for one in _applicable(findings, unsafe):
        if not any(_collide(edit, other) for edit in one.fix.edits for other in taken):
            chosen.append(one)
            taken.extend(one.fix.edits)
    return chosen


def sorted_edits(chosen: Iterable[ChosenFix]) -> tuple[TextEdit, ...]:
    """Return all edits of `chosen` in the order of the text."""
    return tuple(sorted((edit for one in chosen for edit in one.fix.edits), key=lambda edit: edit.span))


def _applicable(findings: Iterable[Diagnostic], unsafe: bool) -> Iterator[ChosenFix]:
    for finding in findings:
        fix = next((fix for fix in finding.fixes if fix.safe), None)
        if fix is None and unsafe and len(finding.fixes) == 1:
            fix = finding.fixes[0]
        if fix is not None:
            yield ChosenFix(finding, fix)


def _collide(edit: TextEdit, other: TextEdit) -> bool:
    """Insertions at one place collide, too: their order would be chance."""
    if edit.span.start == other.span.start:
        return True
    return edit.span.start < other.span.end and other.span.start < edit.span.end
