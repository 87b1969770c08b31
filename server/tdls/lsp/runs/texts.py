"""The texts of the documents that show a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.interpreter.model import Emit
from tdls.lsp.protocol.run_target import View
from tdls.text.difference import unified_diff

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
            names = (f"{name}.{view.value}" for view in (View.BEFORE, View.AFTER))
            texts[View.DIFF] = "".join(unified_diff(before, result.texts.get(Emit.PAYLOAD, after), *names))
    return texts
