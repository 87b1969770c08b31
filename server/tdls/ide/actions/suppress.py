"""Silencing a rule by a comment: in one line, or in the whole file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.rules import COMMENT_RULES
from tdls.analysis.suppression.suppressions import silence_in_file, silence_in_line
from tdls.ide.actions.request import ActionKind, CodeAction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.actions.request import ActionRequest


def find(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield two actions for each rule that has findings at a place; comments themselves are put right instead."""
    findings = {finding.rule: finding for finding in reversed(request.findings) if finding.rule not in COMMENT_RULES}
    for rule, finding in findings.items():
        edit = silence_in_line(request.file, finding)
        yield CodeAction(f"Ignore `{rule}` here", ActionKind.QUICK_FIX, (edit,), finding)
    for rule, finding in findings.items():
        edit = silence_in_file(request.file, finding)
        yield CodeAction(f"Ignore `{rule}` in this file", ActionKind.QUICK_FIX, (edit,), finding)
