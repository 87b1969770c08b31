"""The texts of the documents that show a run."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from tdls.interpreter.model import Emit
from tdls.lsp.protocol.run_target import View

if TYPE_CHECKING:
    from collections.abc import Collection

    from tdls.interpreter.model import RunResult


def texts_of(result: RunResult, views: Collection[View], name: str) -> dict[View, str]:
    """Return the texts of `views`, and of the payload after the run; none if it did not succeed.

    A script that is kept in the payload is no part of what has changed.

    `name` is what a diff calls the payload.
    """
    after = result.texts.get(Emit.MODULE, result.texts.get(Emit.PAYLOAD))
    if after is None:
        return {}
    texts = {View.AFTER: after}
    before = result.texts.get(Emit.BEFORE)
    if before is not None:
        texts[View.BEFORE] = before
        if View.DIFF in views:
            texts[View.DIFF] = _diff(before, result.texts.get(Emit.PAYLOAD, after), name)
    return texts


def _diff(before: str, after: str, name: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True),
        after.splitlines(keepends=True),
        fromfile=f"{name}.{View.BEFORE.value}",
        tofile=f"{name}.{View.AFTER.value}",
    )
    return "".join(lines)
