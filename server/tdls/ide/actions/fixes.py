"""The fixes that rules propose for their findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.fixing import ranks_fixes, with_tried_fixes
from tdls.ide.actions.request import ActionKind, CodeAction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.actions.request import ActionRequest
    from tdls.text.diagnostic import Diagnostic, Fix


def find(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield the fixes of the findings at a place, but for ranked ones that a trial says do not help.

    A safe one that is the only one is preferred. In sections that take long to read none is tried, nor offered.
    """
    for finding in request.findings:
        for fix in _offered(request, finding):
            preferred = fix.safe and len(finding.fixes) == 1
            yield CodeAction(fix.title, ActionKind.QUICK_FIX, fix.edits, finding, preferred)


def _offered(request: ActionRequest, finding: Diagnostic) -> tuple[Fix, ...]:
    if not ranks_fixes(finding.rule):
        return finding.fixes
    is_large = request.file.context_at(finding.span.start).section.is_large
    return () if is_large else with_tried_fixes(request.file, finding).fixes
