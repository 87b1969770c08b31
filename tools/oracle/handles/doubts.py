"""Finds out why tdls has a hint or nothing for a use that failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.handles.cases import Case
from oracle.handles.origins import MATCH, origins
from oracle.handles.reduction import reduced
from oracle.handles.runs import NESTED
from oracle.handles.witnesses import with_witness

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from oracle.handles.comparison import Judged
    from oracle.handles.runs import Flag, Use
    from oracle.handles.scripts import HandleScript

_FEW, _MANY = 3, 25
"""Rounds for scripts as they were written, and for small ones."""
_TO_LOOPS = "transform.structured.convert_to_loops"
_SPLIT = "transform.split_handle"
_MATCHING = frozenset({"transform.collect_matching", "transform.foreach_match"})
_SEARCHES = frozenset({"transform.collect_matching", "transform.get_parent_op", MATCH})
_STEPS = frozenset({"transform.get_consumers_of_result", "transform.get_producer_of_operand"})
_PARENT = "transform.get_parent_op"


def doubts(results: Sequence[Judged]) -> dict[str, Case | None]:
    """Return why tdls is not certain, by the names of the scripts whose failure it reports as possible only."""
    found: dict[str, Case | None] = {}
    for each in results:
        if each.is_possible and each.run.flag is not None:
            found[each.script.name] = Case.EARLIER if each.run.flag.earlier else None
    todo = [each for each in results if found.get(each.script.name, Case.EARLIER) is None]
    found |= dict.fromkeys(with_witness([_failure(each) for each in todo], _FEW), Case.PAYLOAD)
    small = [reduced(each.script) for each in todo if found[each.script.name] is None]
    found |= dict.fromkeys(with_witness([_failure(each) for each in small], _MANY), Case.PAYLOAD)
    return found | {each.script.name: _case(each) for each in small if found[each.script.name] is None}


def _failure(each: Judged) -> tuple[HandleScript, Flag]:
    assert each.run.flag is not None
    return each.script, each.run.flag


def _handles(each: Judged, uses: Iterable[Use]) -> set[str]:
    return {each.findings.values[use].partition("#")[0] for use in uses}


def case_of_miss(each: Judged) -> Case | None:
    """Return the case of a failure without a finding: a search in the used handle's operations found just these."""
    flag = each.run.flag
    if flag is None or flag.is_nested:
        return None
    if flag.consumed is None:
        return (
            Case.AGAIN if not _SEARCHES.isdisjoint(origins(each.script, _handles(each, flag.uses)).operations) else None
        )
    found = origins(each.script, _handles(each, [flag.consumed]))
    used = _handles(each, flag.uses)
    is_in_it = not used.isdisjoint(found.handles) or not found.searches.isdisjoint(origins(each.script, used).searches)
    return Case.ITSELF if is_in_it and not found.operations.isdisjoint(_SEARCHES) else None


def _case(each: Judged) -> Case | None:
    """Return the case of a reduced script, by the origins of its handles."""
    flag = each.run.flag
    assert flag is not None
    consumed = [flag.consumed] if flag.consumed is not None else []
    made_by = origins(each.script, _handles(each, [*flag.uses, *consumed])).operations
    if flag.message.startswith(NESTED) and _TO_LOOPS in made_by:
        return Case.NESTS
    if flag.consumed is not None and _SPLIT in made_by:
        return Case.ORDER
    if flag.consumed is not None and not made_by.isdisjoint(_MATCHING) and made_by.isdisjoint(_STEPS):
        return Case.MATCHERS
    is_of_all = flag.consumed is not None and each.findings.values[flag.consumed].startswith("%root#")
    return Case.OUTSIDE if is_of_all and _PARENT in made_by else None
