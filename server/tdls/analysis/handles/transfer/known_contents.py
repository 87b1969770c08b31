"""What running a script on a payload that is known tells of the sets that handles stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.invalidation import outward
from tdls.analysis.handles.payload.sets import Nesting, PayloadSet, certainly_share

if TYPE_CHECKING:
    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.evaluation.contents import KnownContents, Listed, Relative
    from tdls.analysis.handles.payload.facts import PayloadFacts
    from tdls.semantic.model import Operation


def relate_contents(run: AbstractRun, operation: Operation) -> None:
    """Note what is known of what the results of `operation` hold, and how that lies to what others hold."""
    for result in operation.results:
        known = run.known.contents.get(result)
        if known is not None and not run.is_parameter(result):
            _relate(run, run.set_of(result), known)


def _relate(run: AbstractRun, payload: PayloadSet, known: KnownContents) -> None:
    payload.may_be_empty = False
    if known.listed is not None:
        payload.facts = _with_list(payload.facts, known.listed)
    for relative in known.relatives:
        if run.is_known(relative.other):
            other = run.set_of(relative.other)
            if other is not payload and run.is_live(other):
                _link(run, payload, other, relative)


def _with_list(facts: PayloadFacts, listed: Listed) -> PayloadFacts:
    return facts._replace(
        names=listed.names if facts.names is None else facts.names & listed.names or facts.names,
        multiplicity=listed.multiplicity,
        repetition=listed.repetition,
        nesting=listed.nesting,
        outer_first=listed.outer_first,
    )


def _link(run: AbstractRun, payload: PayloadSet, other: PayloadSet, relative: Relative) -> None:
    inner, outer = (payload, other) if relative.is_inner else (other, payload)
    nesting = Nesting.NESTED if relative.is_nested else Nesting.PART
    if _is_said(run, inner, outer, relative):
        return
    is_firm = relative.is_nested and run.names.are_containers(outer.facts.names)
    if not relative.is_all:
        some = PayloadSet(inner.value, inner.maker, run.step, inner.facts.part())
        run.link(some, inner, Nesting.PART, run.step)
        inner = some
    run.link(inner, outer, nesting, run.step, is_firm=is_firm)


def _is_said(run: AbstractRun, inner: PayloadSet, outer: PayloadSet, relative: Relative) -> bool:
    """Tell whether it is known without the payload how two sets lie to each other."""
    if not relative.is_nested and certainly_share((inner, outer), run.budget):
        return True
    return outer in outward(inner, run.motions, run.budget)
