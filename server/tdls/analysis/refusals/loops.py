"""What operations on loops and buffers ask of each of their targets, with words for what is missing.

After their `apply` in mlir/lib/Dialect/*/TransformOps, and what that calls; MLIR itself mostly says no more than that
they failed. A condition of `CHECKS` holds in every version, so that it is reported before a run. One of `AFTERWARDS`
tells why an operation has failed, where another version may succeed, or where there are other ways to fail as well.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.refusals.target import Unmet
from tdls.payload.loops import LOOPS, constant_of, trip_count
from tdls.payload.operations import operands_of, result_count
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from tdls.analysis.refusals.target import Refuses, Target
    from tdls.payload.operations import PayloadOperation


class _Bounds(NamedTuple):
    """The bounds of ``scf.for``, `DYNAMIC` where they are not constant."""

    lower: int
    upper: int
    step: int


def _bounds(loop: PayloadOperation) -> _Bounds | None:
    """Return the bounds of ``scf.for``, or None for another operation, or in doubt."""
    values = operands_of(loop) if loop.name == _FOR else None
    constants = [constant_of(value) for value in (values or ())[:3]]
    known = [each for each in constants if each is not None]
    return _Bounds(*known) if len(known) == 3 else None


def _coalesced(at: Target) -> Unmet | None:
    body = at.body
    if at.payload.name != _FOR or body is None:
        return None
    inner = next((child for child in body if child.name == _FOR), None)
    if inner is None:
        return Unmet(f"{at.shown} has no other loop directly in it: only nests of at least two loops are coalesced")
    other = next((child for child in body if child is not inner), None)
    if other is not None:
        message = f"{at.shown} has {other.shown} beside the inner loop: only perfect nests are coalesced"
        return Unmet(message, "move it out of the nest, such as with `transform.apply_licm`")
    block = at.payload.written.body if at.payload.written is not None else None
    for value in (operands_of(inner) or ())[:3]:
        if value is not None and block is not None and value.owner_block is block:
            message = f"the inner loop's bound `{value.shown}` varies with {at.shown}"
            return Unmet(f"{message}: only loops with invariant inner bounds are coalesced")
    return None


def _peeled(at: Target) -> Unmet | None:
    bounds = _bounds(at.payload)
    if bounds is None:
        return None
    if at.operation.has_attribute("peel_front") and at.operation.spelled("peel_front") != "false":
        is_over = trip_count(*bounds) in (0, 1)
        return Unmet(f"{at.shown} has one iteration at most: nothing is left to peel") if is_over else None
    if bounds.step == 1:
        return Unmet(f"the step of {at.shown} is 1: no iteration is partial, so that there is nothing to peel")
    if trip_count(*bounds) is None or (bounds.upper - bounds.lower) % bounds.step:
        return None
    extent = f"the step {bounds.step} of {at.shown} divides {bounds.upper - bounds.lower}, the distance of its bounds"
    return Unmet(f"{extent}: no iteration is partial, so that there is nothing to peel")


def _without_results(purpose: str, help_text: str | None = None) -> Refuses:
    def check(at: Target) -> Unmet | None:
        of_tiled = at.payload.made_from if at.payload.made_by is not None else None
        if not result_count(of_tiled or at.payload):
            return None
        return Unmet(f"{at.shown} has results: only loops without them are {purpose}", help_text)

    return check


def _affine_bound(at: Target) -> Unmet | None:
    word = _SEVERAL.search(at.payload.behind_name.partition("{")[0]) if at.payload.name == _AFFINE_FOR else None
    return None if word is None else Unmet(f"a bound of {at.shown} is a `{word[1]}`: its trip count is not known")


_SEVERAL = re.compile(r"\b(min|max) ", re.ASCII)


def loops_around(payload: PayloadOperation) -> list[PayloadOperation]:
    """Return the loops around an operation, innermost first."""
    return [outer for outer in payload.ancestors() if outer.name in LOOPS]


_FOR, _AFFINE_FOR = "scf.for", "affine.for"
_BUFFERIZE = "bufferize the function first"

CHECKS: dict[str, tuple[Refuses, ...]] = {
    "transform.loop.coalesce": (_coalesced,),
    "transform.loop.forall_to_for": (_without_results("converted", _BUFFERIZE),),
    "transform.loop.forall_to_parallel": (_without_results("converted", _BUFFERIZE),),
    "transform.loop.parallel_for_to_nested_fors": (_without_results("converted"),),
}
AFTERWARDS: dict[str, tuple[Refuses, ...]] = {
    "transform.loop.peel": (_peeled,),
    "transform.loop.unroll": (_affine_bound,),
}
