"""All fixes of a file that cannot change what its scripts do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.ide.actions.request import ActionKind, CodeAction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.ide.actions.request import ActionRequest
    from tdls.text.diagnostic import TextEdit


def find(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield one action with the safe fixes of the whole file; of those that get in each other's way the first only."""
    chosen: list[TextEdit] = []
    for finding in request.all_findings:
        fix = next((fix for fix in finding.fixes if fix.safe), None)
        if fix is not None and not any(_collide(edit, other) for edit in fix.edits for other in chosen):
            chosen.extend(fix.edits)
    if chosen:
        yield CodeAction("Apply all safe fixes", ActionKind.FIX_ALL, _sorted(chosen))


def _sorted(edits: Sequence[TextEdit]) -> tuple[TextEdit, ...]:
    return tuple(sorted(edits, key=lambda edit: edit.span))


def _collide(edit: TextEdit, other: TextEdit) -> bool:
    """Insertions at one place collide, too: their order would be chance."""
    if edit.span.start == other.span.start:
        return True
    return edit.span.start < other.span.end and other.span.start < edit.span.end
