"""Which findings comments silence, and what is found about the comments themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.rules import COMMENT_RULES, RULES
from tdls.analysis.rules.language import syntax_error, template_placeholder, unknown_symbol
from tdls.analysis.suppression.directives import SuppressionScope
from tdls.analysis.suppression.mistakes import mistakes
from tdls.analysis.suppression.suppressions import suppressions_of
from tdls.analysis.suppression.unused import unused
from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.analysis.file.source_file import SourceFile
    from tdls.analysis.suppression.suppressions import Entry
    from tdls.text.diagnostic import Diagnostic

_LOOKED_FOR = COMMENT_RULES | {rule.name for rule in RULES if rule.find is not None and not rule.option}
_HIDING = frozenset({syntax_error.RULE.name, unknown_symbol.RULE.name, template_placeholder.RULE.name})
"""Rules whose findings, silenced or not, mean that other rules see less of the script."""


def not_silenced(file: SourceFile, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return those of `findings`, with places in `file`, that no comment silences."""
    suppressions = suppressions_of(file)
    if not suppressions:
        return list(findings)
    return [finding for finding in findings if suppressions.silencing(file, finding) is None]


def settled(file: SourceFile, found: Iterable[Diagnostic], *, is_complete: bool = True) -> list[Diagnostic]:
    """Return those of `found` that no comment silences, and what is wrong with comments that silence.

    `found` is what rules found in `file`. Comments are called unused only if it is complete, and the script has no
    errors: more may be found when they are put right.
    """
    if not suppressions_of(file):
        return list(found)
    return _Settling(file, list(found), is_complete=is_complete).result()


class _Settling:
    """One pass over the findings of a file; entries are used when they silence something."""

    def __init__(self, file: SourceFile, found: list[Diagnostic], *, is_complete: bool) -> None:
        self._file = file
        self._suppressions = suppressions_of(file)
        self._found = found
        self._used: set[Entry] = set()
        self._is_complete = is_complete

    def result(self) -> list[Diagnostic]:
        """Comments silence what is found about comments, too, but not that they are there for nothing else."""
        kept = list(self._audible(self._found))
        if not self._is_complete or any(finding.level is Level.ERROR for finding in kept) or self._is_damaged():
            return [*kept, *self._audible(mistakes(self._file))]
        kept += self._audible([*mistakes(self._file), *self._unused(about_comments=False)])
        return [*kept, *self._unused(about_comments=True)]

    def _is_damaged(self) -> bool:
        return any(finding.rule in _HIDING for finding in self._found)

    def _audible(self, findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        for finding in findings:
            entry = self._suppressions.silencing(self._file, finding)
            if entry is None:
                yield finding
            else:
                self._used.add(entry)

    def _unused(self, *, about_comments: bool) -> Iterator[Diagnostic]:
        for placed in self._suppressions.directives:
            entries = [entry for entry in placed.entries if (entry.rule in COMMENT_RULES) is about_comments]
            idle = [entry for entry in entries if entry not in self._used and _is_judged(entry)]
            if idle:
                yield unused(self._file, placed, idle)


def _is_judged(entry: Entry) -> bool:
    """The end of a region goes with its beginning; what is not looked for here may be found elsewhere."""
    return entry.scope is not SuppressionScope.END and entry.rule in _LOOKED_FOR
