"""Code actions: what can be done about a place at one stroke. One file each under `actions/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.checking.selection import ALL
from tdls.ide.actions import fix_all, fixes, mark_arguments, suppress
from tdls.ide.actions.request import ActionKind, ActionRequest, CodeAction

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from tdls.analysis.checking.selection import Levels
    from tdls.ide.snapshot import Snapshot
    from tdls.text.span import FileSpan

__all__ = ["ActionKind", "CodeAction", "code_actions"]

_ACTIONS: tuple[tuple[ActionKind, Callable[[ActionRequest], Iterator[CodeAction]]], ...] = (
    (ActionKind.QUICK_FIX, fixes.find),
    (ActionKind.REWRITE, mark_arguments.find),
    (ActionKind.QUICK_FIX, suppress.find),
    (ActionKind.FIX_ALL, fix_all.find),
)
_IN_PROGRAMS = ((ActionKind.QUICK_FIX, fixes.find),)
"""Only fixes are written as the string that a script is in wants it."""
_AT_A_PLACE = (ActionKind.QUICK_FIX, ActionKind.REWRITE)


def code_actions(
    snapshot: Snapshot,
    uri: str,
    span: FileSpan,
    kinds: Collection[ActionKind] = _AT_A_PLACE,
    levels: Levels = ALL,
) -> list[CodeAction]:
    """Return the actions of these kinds at `span`, the most fitting first; no two make the same edits.

    `levels` are those that a user gave to rules; findings that are off have no actions.
    """
    file = snapshot.file(uri)
    if file is None:
        return []
    request = ActionRequest(file, span, levels)
    found: dict[object, CodeAction] = {}
    for kind, find in _ACTIONS if file.program is None else _IN_PROGRAMS:
        for action in find(request) if kind in kinds else ():
            found.setdefault(action.edits, action)
    return list(found.values())
