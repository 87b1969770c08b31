"""What is told of a file: what the rules find, without what comments silence, in the order of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.checking.embedded import certain_in_program
from tdls.analysis.checking.repetitions import without_repetitions
from tdls.analysis.checking.section_findings import findings_of, found_in
from tdls.analysis.rules import COMMENT_RULES
from tdls.analysis.suppression.silencing import not_silenced, settled
from tdls.analysis.suppression.suppressions import suppressions_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.checking.section_findings import RuleFailure
    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.text.diagnostic import Diagnostic
    from tdls.text.span import FileSpan


class FileFindings(NamedTuple):
    """What is told of a file, and the rules that failed in it, whose findings are missing."""

    told: list[Diagnostic]
    failures: list[RuleFailure]


class RuleFailedError(Exception):
    """A rule failed where all findings are needed; the message has the traceback."""


def look_at(file: SourceFile) -> FileFindings:
    """Look for everything in a file; reads every section."""
    contexts = list(file.contexts)
    return FileFindings(told(file, contexts), failures_of(contexts))


def findings_in_file(file: SourceFile) -> list[Diagnostic]:
    """Return what `look_at` tells. Raises RuleFailedError unless that is all."""
    found = look_at(file)
    if found.failures:
        raise RuleFailedError(found.failures[0].trace)
    return found.told


def failures_of(contexts: Iterable[Context]) -> list[RuleFailure]:
    """Return the rules that fail in the sections of `contexts`, each as it fails first."""
    first: dict[str, RuleFailure] = {}
    for context in contexts:
        for failure in findings_of(context).failures:
            first.setdefault(failure.rule, failure)
    return list(first.values())


def told(file: SourceFile, contexts: Iterable[Context], *, is_complete: bool = True) -> list[Diagnostic]:
    """Return what is told of a file where something is found in the sections of `contexts` only.

    Unless that `is_complete` and no rule fails, nothing is said of comments that silence nothing.
    """
    contexts = list(contexts)
    is_complete = is_complete and not failures_of(contexts)
    kept = settled(file, _found(file, contexts), is_complete=is_complete)
    return without_repetitions(sorted(kept, key=lambda finding: (finding.span, finding.rule, finding.message)))


def findings_in_section(context: Context) -> list[Diagnostic]:
    """Return what the rules find in one section and no comment silences, with places in the file.

    What is wrong with the comments themselves is not in it.
    """
    return not_silenced(context.file, _found(context.file, [context]))


def _found(file: SourceFile, contexts: Iterable[Context]) -> list[Diagnostic]:
    found = [finding for context in contexts for finding in found_in(context)]
    return certain_in_program(file, file.program, found) if file.program is not None else found


def findings_about_comments(file: SourceFile, span: FileSpan) -> list[Diagnostic]:
    """Return what is wrong with the comments at `span` that silence; unused ones if all sections were looked at."""
    places = (directive.place(file, directive.directive.span) for directive in suppressions_of(file).directives)
    if not any(_meet(place, span) for place in places):
        return []
    known = [(context, findings_of.known(context.section)) for context in file.contexts]
    with_findings = (context for context, kept in known if kept is not None and any(kept.value))
    found = [finding for context in with_findings for finding in found_in(context)]
    is_complete = all(kept is not None and not kept.value.failures for _, kept in known)
    about_all = settled(file, found, is_complete=is_complete)
    return [finding for finding in about_all if finding.rule in COMMENT_RULES and _meet(finding.span, span)]


def _meet(first: FileSpan, second: FileSpan) -> bool:
    return first.start <= second.end and second.start <= first.end
