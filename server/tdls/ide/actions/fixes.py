"""The fixes that rules propose for their findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.fixing.trial import with_tried_fixes
from tdls.ide.actions.request import ActionKind, CodeAction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.actions.request import ActionRequest


def find(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield the fixes of the findings at a place, but for ranked ones that a trial says do not help.

    A safe one that is the only one is preferred.
    """
    for finding in request.findings:
        for fix in with_tried_fixes(request.file, finding).fixes:
            preferred = fix.safe and len(finding.fixes) == 1
            yield CodeAction(fix.title, ActionKind.QUICK_FIX, fix.edits, finding, preferred)
