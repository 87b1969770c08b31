"""Which findings comments silence, and what is found about the comments themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.rules import COMMENT_RULES, RULES, syntax_error
from tdls.analysis.suppression.directives import Scope
from tdls.analysis.suppression.mistakes import mistakes
from tdls.analysis.suppression.unused import unused
from tdls.text.line_index import Position

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from tdls.analysis.context import Context
    from tdls.analysis.source_file import SourceFile
    from tdls.analysis.suppression.suppressions import Entry, PlacedDirective
    from tdls.text.diagnostic import Diagnostic
    from tdls.text.span import Span

_LOOKED_FOR = COMMENT_RULES | {rule.name for rule in RULES if rule.find is not None}


def not_silenced(file: SourceFile, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return those of `findings`, with places in `file`, that no comment silences."""
    if not file.suppressions:
        return list(findings)
    return [finding for finding in findings if file.suppressions.silencing(file, finding) is None]


def settled(file: SourceFile, found: Iterable[Diagnostic], pending: Collection[int] = ()) -> list[Diagnostic]:
    """Return those of `found` that no comment silences, and what is wrong with comments that silence.

    `found` is all that rules found in `file`, but for the sections with the identities in `pending`. A comment is not
    called unused if it may silence something there, or what a syntax error hides.
    """
    if not file.suppressions:
        return list(found)
    return _Settling(file, list(found), pending).result()


def settled_at(file: SourceFile, span: Span) -> list[Diagnostic]:
    """Return what is wrong with the comments at `span` that silence.

    Of a region or the whole file that is told only if its sections have been looked at before.
    """
    touched = [one for one in file.suppressions.directives if _meet(one.place(file, one.directive.span), span)]
    if not touched:
        return []
    known = {id(context.section): context for one in touched for context in _near(file, one)}
    pending: set[int] = set()
    if any(one.directive.scope is not Scope.LINE for one in touched):
        for context in file.contexts:
            is_known = "findings" in context.section.derived
            known.update({id(context.section): context} if is_known else {})
            pending.update(() if is_known else (id(context.section),))
    found = [finding for context in known.values() for finding in file.found_in(context)]
    return [one for one in settled(file, found, pending) if one.rule in COMMENT_RULES and _meet(one.span, span)]


def _near(file: SourceFile, placed: PlacedDirective) -> Iterator[Context]:
    """Yield the sections of the lines that a directive for single lines is about."""
    for entry in placed.entries:
        if entry.scope is Scope.LINE:
            yield from (file.context_of(file.sections.pieces[index].section) for index in _pieces(file, entry))


def _pieces(file: SourceFile, entry: Entry) -> range:
    """Return the indices of the pieces of the text that the lines of `entry` touch."""
    start = file.offset(Position(entry.first, 0))
    end = file.offset(Position(entry.last, 0)) + len(file.line_text(entry.last))
    return range(file.sections.piece_at(start), file.sections.piece_at(end) + 1)


def _meet(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


class _Settling:
    """One pass over the findings of a file; entries are used when they silence something."""

    def __init__(self, file: SourceFile, found: list[Diagnostic], pending: Collection[int]) -> None:
        self._file = file
        self._found = found
        self._pending = pending
        self._used: set[Entry] = set()
        self._damaged = {file.sections.piece_at(one.span.start) for one in found if one.rule == syntax_error.RULE.name}

    def result(self) -> list[Diagnostic]:
        """Comments silence what is found about comments, too, but not that they are there for nothing else."""
        kept = list(self._audible(self._found))
        kept += self._audible([*mistakes(self._file), *self._unused(about_comments=False)])
        return [*kept, *self._unused(about_comments=True)]

    def _audible(self, findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        for finding in findings:
            entry = self._file.suppressions.silencing(self._file, finding)
            if entry is None:
                yield finding
            else:
                self._used.add(entry)

    def _unused(self, *, about_comments: bool) -> list[Diagnostic]:
        found: list[Diagnostic] = []
        for placed in self._file.suppressions.directives:
            entries = [one for one in placed.entries if (one.rule in COMMENT_RULES) is about_comments]
            idle = [one for one in entries if one not in self._used and self._is_judged(one)]
            if idle:
                found.append(unused(self._file, placed, idle))
        return found

    def _is_judged(self, entry: Entry) -> bool:
        """The end of a region goes with its beginning; what is not looked for here may be found elsewhere."""
        if entry.scope is Scope.END or entry.rule not in _LOOKED_FOR:
            return False
        if entry.scope is not Scope.LINE:
            return not self._pending and not self._damaged
        pieces = _pieces(self._file, entry)
        sections = (id(self._file.sections.pieces[index].section) for index in pieces)
        return self._damaged.isdisjoint(pieces) and not any(section in self._pending for section in sections)
