"""Finds out why tdls is not certain of what failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.handles.cases import Case
from oracle.handles.reduction import reduced
from oracle.handles.witnesses import with_witness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.handles.comparison import Judged
    from oracle.handles.runs import Flag
    from oracle.handles.scripts import HandleScript


def doubts(results: Sequence[Judged]) -> dict[str, Case | None]:
    """Return why tdls is not certain, by the names of those scripts of which it only holds possible what failed."""
    found: dict[str, Case | None] = {}
    for each in results:
        if each.is_possible and each.run.flag is not None:
            found[each.script.name] = Case.EARLIER if each.run.flag.earlier else None
    todo = [each for each in results if found.get(each.script.name, Case.EARLIER) is None]
    found |= dict.fromkeys(with_witness([_failure(each) for each in todo]), Case.PAYLOAD)
    todo = [each for each in todo if found[each.script.name] is None]
    found |= dict.fromkeys(with_witness([_failure(reduced(each.script)) for each in todo]), Case.PAYLOAD)
    return found


def _failure(each: Judged) -> tuple[HandleScript, Flag]:
    assert each.run.flag is not None
    return each.script, each.run.flag
