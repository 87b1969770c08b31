"""Trying fixes: what the rules find in the text that a fix makes, compared with what they find now."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from tdls.analysis.checking.identity import identity
from tdls.analysis.checking.section_findings import found_in
from tdls.analysis.file.file_facts import FileFact
from tdls.analysis.fixing.application import with_edits
from tdls.analysis.fixing.ranking import ranks_fixes
from tdls.text.diagnostic import Level

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.checking.identity import Identity
    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.text.diagnostic import Diagnostic, Fix


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
    return is_settled(before, after, [identity(file, finding)])


def _others(file: SourceFile, version: SourceFile) -> list[Context]:
    """Return the contexts of the sections of `file` that another `version` of it does not have."""
    shared = {id(piece.section) for piece in version.sections.pieces}
    sections = {id(piece.section): piece.section for piece in file.sections.pieces if id(piece.section) not in shared}
    return [file.context_of(section) for section in sections.values()]


def complaints(file: SourceFile, contexts: Iterable[Context]) -> Counter[Identity]:
    """Count what must not become more by a fix that is tried: all that is certain, and all about handles."""
    found = (finding for context in contexts for finding in found_in(context) if _counts(finding))
    return Counter(identity(file, finding) for finding in found)


def is_settled(before: Counter[Identity], after: Counter[Identity], settled: Iterable[Identity]) -> bool:
    """Tell whether what was found `before` is found no more as often as `settled` says, and nothing else instead."""
    return after <= before - Counter(settled)


def _counts(finding: Diagnostic) -> bool:
    return finding.level is not Level.HINT or ranks_fixes(finding.rule)
