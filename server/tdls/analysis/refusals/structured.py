"""What operations on structured operations ask of each of their targets, with words for what is missing.

`CHECKS` and `AFTERWARDS` are as in `loops.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.refusals.target import Unmet
from tdls.payload.loops import (
    DYNAMIC,
    REDUCTION,
    dimensions,
    element_of,
    is_projected_permutation,
)
from tdls.payload.operations import is_on_buffers, operands_of, type_of

if TYPE_CHECKING:
    from tdls.analysis.refusals.target import Refuses, Target
    from tdls.payload.operations import PayloadOperation


def _fused_into(at: Target) -> Unmet | None:
    container = next(iter(at.run.held(next(iter(at.operation.group("containing_op")), None)) or ()), None)
    results = at.payload.written.results if at.payload.written is not None else ()
    users = [at.users(result) for result in results]
    if container is None or None in users or not results:
        return None
    known = [user for several in users for user in several or ()]
    if any(container in user.ancestors() for user in known):
        return None
    message = f"nothing in {container.shown} uses a result of {at.shown}"
    if container in known:
        return Unmet(f"{message}: it is only what the loop begins with", "fuse it into an outer loop")
    return Unmet(message)


def _on_tensors(purpose: str) -> Refuses:
    def check(at: Target) -> Unmet | None:
        if not is_on_buffers(at.payload):
            return None
        return Unmet(f"{at.shown} is on memrefs: only operations on tensors are {purpose}", _BEFORE_BUFFERS)

    return check


def _on_buffers(purpose: str) -> Refuses:
    def check(at: Target) -> Unmet | None:
        types = at.types if at.loops.operands else []
        if not types or not types[-1].startswith("tensor<"):
            return None
        return Unmet(f"{at.shown} is on tensors: only operations on memrefs are {purpose}", "bufferize it first")

    return check


_BEFORE_BUFFERS = "do this before bufferization"


def _hoisted_padding(at: Target) -> Unmet | None:
    around: list[PayloadOperation] = []
    for outer in at.payload.ancestors():
        if outer.name != _FOR or len(around) == (at.operation.integer("num_loops") or 0):
            break
        around.append(outer)
    if not around:
        message = f"no `{_FOR}` is directly around {at.shown}, out of which it could be hoisted"
        return Unmet(message, "tile the operation that is padded first")
    source = next(iter(operands_of(at.payload) or ()), None)
    maker = source.operation if source is not None else None
    if source is None:
        return None
    if maker is None or maker.name != _SLICE:
        return Unmet(f"{at.shown} pads `{source.shown}`, which is not a result of `{_SLICE}`")
    sliced = maker.first_operand
    block = sliced.owner_block if sliced is not None else None
    while block is not None:
        if block.region.parent is around[-1].written and sliced is not None:
            return Unmet(f"`{sliced.shown}`, a slice of which {at.shown} pads, is defined in the loop itself")
        block = block.region.parent.block
    return None


def _padded(at: Target) -> Unmet | None:
    for number, value in enumerate(operands_of(at.payload) or ()):
        sizes = dimensions(type_of(value)) or ()
        maker = value.operation if value is not None else None
        if DYNAMIC in sizes and (maker is None or maker.name != _SLICE):
            where = f"dimension #{sizes.index(DYNAMIC)} of operand #{number} of {at.shown}"
            message = f"{where} is dynamic, and has no constant bound that it could be padded to"
            return Unmet(message, "tile it first, or leave its loop out of `padding_dimensions`")
    return None


def _vectorized(at: Target) -> Unmet | None:
    loops = at.loops
    for child in at.body or ():
        definition = child.definition(at.run.context.catalogue)
        traits = definition.traits if definition is not None and definition.versions else _VECTORIZED
        if traits.isdisjoint(_VECTORIZED) and child.name not in _IN_BODIES:
            return Unmet(f"{at.shown} has {child.shown} in its body, which is not vectorized")
    if re.search(r"linalg\.(conv|pooling|depthwise_conv)_([23]d|nhwc|nchw)", at.payload.name):
        return Unmet(f"{at.shown} has more than one spatial dimension", _DECOMPOSE)
    for number, own in enumerate(loops.maps or ()):
        if own is not None and is_projected_permutation(own) is not True:
            return Unmet(f"the indexing map of operand #{number} of {at.shown} is not a projected permutation")
    elements = (element_of(type_) for type_ in at.types)
    other = next((each for each in elements if each is not None and _SCALAR.fullmatch(each) is None), None)
    if other is not None:
        return Unmet(f"{at.shown} has elements of type `{other}`, which vectors cannot have")
    if REDUCTION in (loops.kinds or ()) and _combiner(at.payload) not in (None, *_COMBINERS):
        return Unmet(f"{at.shown} reduces by `{_combiner(at.payload)}`, which no vector reduction does")
    return None


_VECTORIZED = frozenset({"Elementwise", "Scalarizable", "Vectorizable", "ConstantLike", "IsTerminator"})
_SCALAR = re.compile(r"[su]?i\d+|index|b?f\d\w*|tf32", re.ASCII)
_IN_BODIES = frozenset({"linalg.index", "linalg.yield", "tensor.extract", "arith.constant"})
_COMBINERS = (
    *("arith.addf", "arith.addi", "arith.mulf", "arith.muli", "arith.andi", "arith.ori", "arith.xori"),
    *(f"arith.{kind}" for kind in ("maximumf", "minimumf", "maxnumf", "minnumf", "maxsi", "minsi", "maxui", "minui")),
)
_DECOMPOSE = "`transform.structured.decompose` makes it one of a single dimension, after tiling"


def _combiner(payload: PayloadOperation) -> str | None:
    block = payload.written.body if payload.written is not None else None
    value = next(iter(block.yielded), None) if block is not None else None
    return value.operation.name if value is not None and value.operation is not None else None


_FOR, _SLICE = "scf.for", "tensor.extract_slice"


def _split_in_reduction(at: Target) -> Unmet | None:
    factor = at.operation.integer("split_factor")
    inserted = at.operation.integer("insert_split_dimension")
    loops = at.loops
    reductions = [loop for loop, kind in enumerate(loops.kinds or ()) if kind == REDUCTION]
    trips = loops.ranges[reductions[0]] if loops.ranges is not None and reductions else None
    if loops.kinds is not None and len(reductions) != 1:
        return Unmet(f"{at.shown} has {len(reductions) or 'no'} reductions, but one is split")
    if factor and trips is not None and (trips == DYNAMIC or trips % factor):
        size = "a dynamic size" if trips == DYNAMIC else f"{trips} iterations"
        return Unmet(f"the reduction of {at.shown} has {size}, which cannot be split by {factor}")
    if inserted is not None and loops.count is not None and inserted >= loops.count:
        return Unmet(f"{at.shown} has {loops.count} loops, but `insert_split_dimension` is {inserted}")
    return None


CHECKS: dict[str, tuple[Refuses, ...]] = {
    "transform.structured.convert_to_loops": (_on_buffers("converted to loops"),),
    "transform.structured.fuse": (_on_tensors("fused"),),
    "transform.structured.hoist_pad": (_hoisted_padding,),
    "transform.structured.pack": (_on_tensors("packed"),),
    "transform.structured.split_reduction": (_split_in_reduction,),
}
AFTERWARDS: dict[str, tuple[Refuses, ...]] = {
    "transform.structured.fuse_into_containing_op": (_fused_into,),
    "transform.structured.pad": (_on_tensors("padded"), _padded),
    "transform.structured.tile_reduction_using_for": (_on_tensors("tiled along reductions"),),
    "transform.structured.tile_reduction_using_forall": (_on_tensors("tiled along reductions"),),
    "transform.structured.vectorize": (_vectorized,),
}
