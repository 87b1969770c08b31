"""All fixes of a file that cannot change what its scripts do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.fixing import choose, sorted_edits
from tdls.ide.actions.request import ActionKind, CodeAction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.ide.actions.request import ActionRequest


def find(request: ActionRequest) -> Iterator[CodeAction]:
    """Yield one action with the safe fixes of the whole file; of those that get in each other's way the first only."""
    chosen = choose(request.all_findings)
    if chosen:
        yield CodeAction("Apply all safe fixes", ActionKind.FIX_ALL, sorted_edits(chosen))
