"""What upstream's operations ask of each payload operation that they are applied to, with words for what is missing.

After their `apply` in mlir/lib/Dialect/*/TransformOps, and what that calls; MLIR itself mostly says no more than that
they failed. A condition of `CHECKS` holds in every version, so that it is reported before a run. One of `AFTERWARDS`
tells why an operation has failed, where another version may succeed, or where there are other ways to fail as well.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tdls.payload.loops import (
    DYNAMIC,
    REDUCTION,
    Loops,
    dimensions,
    element_of,
    is_projected_permutation,
)
from tdls.payload.operations import is_on_buffers, operands_of, result_count, type_of
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tdls.analysis.handles.payload_run import PayloadRun
    from tdls.payload.operations import PayloadOperation
    from tdls.semantic.model import Operation, Value


class Refusal(NamedTuple):
    """Why an operation refuses a payload operation, and what to do about it."""

    message: str
    help: str | None = None


class Target(NamedTuple):
    """A payload operation that an operation of a script is applied to."""

    run: PayloadRun
    operation: Operation
    payload: PayloadOperation

    @property
    def shown(self) -> str:
        """The name of the payload operation, for messages."""
        return self.payload.shown

    @property
    def loops(self) -> Loops:
        """The loops of a structured payload operation."""
        return Loops(self.payload, self.run.context.catalogue, self.run.payload.aliases)

    @property
    def types(self) -> list[str]:
        """The types of its operands, "" for unknown ones."""
        return [type_of(value) or "" for value in operands_of(self.payload) or ()]


if TYPE_CHECKING:
    _Check = Callable[[Target], Refusal | None]


def check_refusals(run: PayloadRun, operation: Operation) -> None:
    """Fail if `operation` refuses one of its targets; with fewer doubts where it is known to have failed."""
    checks = CHECKS.get(operation.name, ())
    checks += AFTERWARDS.get(operation.name, ()) if run.has_failed else ()
    for payload in (run.held(operation.first_operand) or ()) if checks else ():
        for check in checks:
            run.budget.spend()
            found = check(Target(run, operation, payload))
            if found is not None:
                run.refuse(operation, found.message, found.help)


# Values


def _constant(value: Value | None) -> int | None:
    """Return the value of a constant, `DYNAMIC` for a value that MLIR knows no constant of; None if in doubt."""
    if value is None:
        return None
    if value.operation is None:
        return DYNAMIC
    if value.operation.name == _CONSTANT:
        return integer((value.operation.spelled("value") or "").partition(":")[0].strip())
    return None if value.operation.has_trait("ConstantLike") or value.operation.definition is None else DYNAMIC


def _shown(value: int | None) -> str:
    return "dynamic" if value == DYNAMIC else str(value)


def _users(run: PayloadRun, value: Value) -> list[PayloadOperation] | None:
    """Return the operations that use a payload value; None if they may be others."""
    found = []
    for each in run.payload.root.walk():
        run.budget.spend()
        if not each.is_added and not (each.is_as_written and each.is_sure):
            return None
        if each.written is not None and value in each.written.operands:
            found.append(each)
    return found


def _body(loop: PayloadOperation) -> list[PayloadOperation] | None:
    """Return the operations in a body but its terminator; None if they may be others."""
    if not all(child.is_added or (child.is_as_written and child.is_sure) for child in loop.children):
        return None
    return [child for child in loop.children if not child.name.endswith(".yield")]


# Loops


class _Bounds(NamedTuple):
    """The bounds of ``scf.for``, `DYNAMIC` where they are not constant."""

    lower: int
    upper: int
    step: int

    @property
    def trips(self) -> int | None:
        """The number of iterations; None if it is not constant."""
        if DYNAMIC in self or self.step <= 0:
            return None
        return max(0, -(-(self.upper - self.lower) // self.step))


def _bounds(loop: PayloadOperation) -> _Bounds | None:
    """Return the bounds of ``scf.for``; None for another operation, or in doubt."""
    values = operands_of(loop) if loop.name == _FOR else None
    found = [_constant(value) for value in (values or ())[:3]]
    known = [each for each in found if each is not None]
    return _Bounds(*known) if len(known) == 3 else None


def _dynamic_bound(loop: PayloadOperation, purpose: str) -> Refusal | None:
    bounds = _bounds(loop)
    if bounds is None or DYNAMIC not in bounds:
        return None
    name = ("lower bound", "upper bound", "step")[bounds.index(DYNAMIC)]
    return Refusal(f"the {name} of {loop.shown} is not constant: only loops with a constant trip count are {purpose}")


def _coalesced(at: Target) -> Refusal | None:
    body = _body(at.payload)
    if at.payload.name != _FOR or body is None:
        return None
    inner = next((child for child in body if child.name == _FOR), None)
    if inner is None:
        return Refusal(f"{at.shown} has no other loop directly in it: only nests of at least two loops are coalesced")
    other = next((child for child in body if child is not inner), None)
    if other is not None:
        message = f"{at.shown} has {other.shown} beside the inner loop: only perfect nests are coalesced"
        return Refusal(message, "move it out of the nest, such as with `transform.apply_licm`")
    return _varying(at.payload, [inner], "coalesced")


def _varying(loop: PayloadOperation, inner: Iterable[PayloadOperation], purpose: str) -> Refusal | None:
    """Refuse a loop with an inner loop whose bounds are computed in it."""
    block = loop.written.body if loop.written is not None else None
    for each in inner:
        for value in (operands_of(each) or ())[:3] if each is not loop and each.name == _FOR else ():
            if value is not None and block is not None and value.owner_block is block:
                message = f"the inner loop's bound `{value.shown}` varies with {loop.shown}"
                return Refusal(f"{message}: only loops with invariant inner bounds are {purpose}")
    return None


def _peeled(at: Target) -> Refusal | None:
    bounds = _bounds(at.payload)
    if bounds is None:
        return None
    if at.operation.has_attribute("peel_front") and at.operation.spelled("peel_front") != "false":
        is_over = bounds.trips in (0, 1)
        return Refusal(f"{at.shown} has one iteration at most: nothing is left to peel") if is_over else None
    if bounds.step == 1:
        return Refusal(f"the step of {at.shown} is 1: no iteration is partial, so that there is nothing to peel")
    if bounds.trips is None or (bounds.upper - bounds.lower) % bounds.step:
        return None
    extent = f"the step {bounds.step} of {at.shown} divides {bounds.upper - bounds.lower}, the distance of its bounds"
    return Refusal(f"{extent}: no iteration is partial, so that there is nothing to peel")


def _pipelined(at: Target) -> Refusal | None:
    bounds, interval = _bounds(at.payload), at.operation.integer("iteration_interval", 1)
    latency = at.operation.integer("read_latency", 10)
    if bounds is None or bounds.trips is None or not interval or latency is None:
        return _dynamic_bound(at.payload, "pipelined")
    cycles: dict[Operation, int] = {}
    for child in _body(at.payload) or ():
        values = operands_of(child)
        if values is None or child.written is None:
            return None
        makers = [value.operation for value in values if value is not None and value.operation is not None]
        waits = (cycles.get(it, 0) + (latency if it.name == "vector.transfer_read" else 1) for it in makers)
        cycles[child.written] = max(waits, default=0)
    stages = max(cycles.values(), default=0) // interval + 1
    if bounds.trips >= stages:
        return None
    return Refusal(f"{at.shown} has {bounds.trips} iterations, fewer than the {stages} stages of its pipeline")


def _jammed(at: Target) -> Refusal | None:
    factor, bounds = at.operation.integer("factor"), _bounds(at.payload)
    if at.payload.name != _FOR or factor in (None, 1):
        return None
    varying = _varying(at.payload, at.payload.walk(), "unrolled and jammed")
    if varying is not None:
        return varying
    if result_count(at.payload):
        return Refusal(f"{at.shown} has results: only loops without them are unrolled and jammed")
    trips = bounds.trips if bounds is not None else None
    if trips is not None and factor is not None and trips > factor and trips % factor:
        return Refusal(f"{at.shown} has {trips} iterations, which is not a multiple of the factor {factor}")
    return _dynamic_bound(at.payload, "unrolled and jammed")


def _outlined(at: Target) -> Refusal | None:
    definition = at.payload.written.definition if at.payload.written is not None else None
    if definition is None or not definition.versions or len(definition.regions) == 1:
        return None
    count = f"{len(definition.regions) or 'no'} regions"
    return Refusal(f"{at.shown} has {count}: only operations with one region are outlined")


def _without_results(purpose: str, help_text: str | None = None) -> _Check:
    def check(at: Target) -> Refusal | None:
        if not result_count(at.payload):
            return None
        return Refusal(f"{at.shown} has results: only loops without them are {purpose}", help_text)

    return check


def _affine_bound(at: Target) -> Refusal | None:
    if at.payload.name != _AFFINE_FOR:
        return None
    word = _SEVERAL.search(at.payload.behind_name.partition("{")[0])
    if word is None:
        return None
    return Refusal(f"a bound of {at.shown} is a `{word[1]}`, so that its trip count is not known")


_SEVERAL = re.compile(r"\b(min|max) ", re.ASCII)


def _fused_with_sibling(at: Target) -> Refusal | None:
    source = next(iter(at.run.held(next(iter(at.operation.group("source")), None)) or ()), None)
    if source is None:
        return None
    if source.name != at.payload.name:
        return Refusal(f"{at.shown} and {source.shown} are loops of different kinds")
    ours, theirs = _bounds(at.payload), _bounds(source)
    values, others = operands_of(at.payload), operands_of(source)
    if ours is None or theirs is None or values is None or others is None:
        return None
    for number, name in enumerate(("lower bound", "upper bound", "step")):
        if ours[number] != theirs[number] or (ours[number] == DYNAMIC and values[number] is not others[number]):
            what = f"{_shown(ours[number])}, but {_shown(theirs[number])} in the loop to fuse it into"
            if ours[number] == theirs[number]:
                what = "another value than in the loop to fuse it into"
            return Refusal(f"the {name} of the target {at.shown} is {what}")
    return None


def _fused_into(at: Target) -> Refusal | None:
    container = next(iter(at.run.held(next(iter(at.operation.group("containing_op")), None)) or ()), None)
    results = at.payload.written.results if at.payload.written is not None else ()
    users = [_users(at.run, result) for result in results]
    if container is None or None in users or not results:
        return None
    known = [user for several in users for user in several or ()]
    if any(container in user.ancestors() for user in known):
        return None
    message = f"nothing in {container.shown} uses a result of {at.shown}"
    if container in known:
        return Refusal(f"{message}: it is only what the loop begins with", "fuse it into an outer loop")
    return Refusal(message)


# Structured operations


def _on_tensors(purpose: str) -> _Check:
    def check(at: Target) -> Refusal | None:
        if not is_on_buffers(at.payload):
            return None
        return Refusal(f"{at.shown} is on memrefs: only operations on tensors are {purpose}", _BEFORE_BUFFERS)

    return check


def _on_buffers(purpose: str) -> _Check:
    def check(at: Target) -> Refusal | None:
        types = at.types if at.loops.operands else []
        if not types or not types[-1].startswith("tensor<"):
            return None
        return Refusal(f"{at.shown} is on tensors: only operations on memrefs are {purpose}", "bufferize it first")

    return check


_BEFORE_BUFFERS = "do this before bufferization"


def _only(*names: str) -> _Check:
    def check(at: Target) -> Refusal | None:
        if at.payload.name in names:
            return None
        listed = " and ".join(f"`{name}`" for name in names)
        return Refusal(f"`{at.operation.name}` applies to {listed} only, not to {at.shown}")

    return check


def _static(purpose: str) -> _Check:
    def check(at: Target) -> Refusal | None:
        for number, type_ in enumerate(at.types):
            if DYNAMIC in (dimensions(type_) or ()):
                return Refusal(f"operand #{number} of {at.shown} is a `{type_}`: only static shapes are {purpose}")
        return None

    return check


def _elementwise(at: Target) -> Refusal | None:
    kinds = at.loops.kinds or ()
    if REDUCTION not in kinds:
        return None
    which = f"loop #{kinds.index(REDUCTION)} of {at.shown} is a reduction"
    return Refusal(f"{which}: only elementwise operations are flattened")


_WINDOWS = (
    (r"conv_2d_nhwc_hwcf|pooling_nhwc_(sum|max|min)(_unsigned)?|depthwise_conv_2d_nhwc_hwc", (0, 1), (1, 2)),
    (r"conv_2d_nchw_fchw", (2, 3), (2, 3)),
    (r"pooling_nchw_(sum|max)", (0, 1), (2, 3)),
    (r"conv_2d", (0, 1), (0, 1)),
)
"""Operations that are decomposed, with the dimensions of the window in their second and third operand."""


def _decomposed(at: Target) -> Refusal | None:
    short = at.payload.name.removeprefix("linalg.")
    known = next(((window, out) for names, window, out in _WINDOWS if re.fullmatch(names, short)), None)
    if known is None:
        return Refusal(f"{at.shown} is not decomposed: only convolutions and poolings in two dimensions are")
    shapes = [dimensions(type_) for type_ in at.types[1:3]]
    if len(shapes) < 2 or shapes[0] is None or shapes[1] is None:
        return None
    for window, out in zip(*known, strict=True):
        if window < len(shapes[0]) and out < len(shapes[1]) and shapes[0][window] == shapes[1][out] == 1:
            return None
    sizes = "x".join(_shown(shapes[0][window]) for window in known[0])
    message = f"the window of {at.shown} is {sizes}: it is decomposed only where the window and the result have"
    return Refusal(f"{message} size 1 in one dimension", "tile that dimension to 1 first")


def _aggregated(at: Target) -> Refusal | None:
    definition = at.payload.definition(at.run.context.catalogue)
    if definition is None or not definition.versions or at.payload.name in _AGGREGATED:
        return None
    return Refusal(f"{at.shown} has no parts that it is decomposed into, as `linalg.softmax` has")


_TRANSFORMS = tuple(f"linalg.winograd_{part}_transform" for part in ("filter", "input", "output"))
_AGGREGATED = frozenset({"linalg.softmax", *_TRANSFORMS})


def _hoisted_padding(at: Target) -> Refusal | None:
    around: list[PayloadOperation] = []
    for outer in at.payload.ancestors():
        if outer.name != _FOR or len(around) == (at.operation.integer("num_loops") or 0):
            break
        around.append(outer)
    if not around:
        message = f"no `{_FOR}` is directly around {at.shown}, out of which it could be hoisted"
        return Refusal(message, "tile the operation that is padded first")
    source = next(iter(operands_of(at.payload) or ()), None)
    maker = source.operation if source is not None else None
    if source is None or (maker is not None and maker.definition is None):
        return None
    if maker is None or maker.name != "tensor.extract_slice":
        return Refusal(f"{at.shown} pads `{source.shown}`, which is no result of `tensor.extract_slice`")
    sliced = maker.first_operand
    block = sliced.owner_block if sliced is not None else None
    while block is not None:
        if block.region.parent is around[-1].written and sliced is not None:
            return Refusal(f"`{sliced.shown}`, a slice of which {at.shown} pads, is defined in the loop itself")
        block = block.region.parent.block
    return _computed_padding(at.payload)


def _computed_padding(payload: PayloadOperation) -> Refusal | None:
    block = payload.written.body if payload.written is not None else None
    value = next(iter(block.yielded), None) if block is not None else None
    if value is None or (value.operation is not None and value.operation.has_trait("ConstantLike")):
        return None
    return Refusal(f"the padding `{value.shown}` of {payload.shown} is no constant")


def _padded(at: Target) -> Refusal | None:
    for number, type_ in enumerate(at.types):
        sizes = dimensions(type_) or ()
        if DYNAMIC in sizes:
            where = f"dimension #{sizes.index(DYNAMIC)} of operand #{number} of {at.shown}"
            message = f"{where} is dynamic, and has no constant bound that it could be padded to"
            return Refusal(message, "tile it first, or leave its loop out of `padding_dimensions`")
    return None


def _promoted(at: Target) -> Refusal | None:
    tensors = _on_buffers("promoted")(at)
    values = operands_of(at.payload)
    if tensors is not None or values is None:
        return tensors
    chosen = at.operation.integers("operands_to_promote") or range(len(values))
    makers = [values[number] for number in chosen if number is not None and number < len(values)]
    if any(it is None or (it.operation is not None and it.operation.name == "memref.subview") for it in makers):
        return None
    which = "operand" if len(chosen) == len(values) else "chosen operand"
    return Refusal(f"no {which} of {at.shown} is a result of `memref.subview`", "tile the operation first")


def _specialized(at: Target) -> Refusal | None:
    return Refusal(f"{at.shown} computes nothing that a named operation of linalg stands for")


def _winograd(at: Target) -> Refusal | None:
    types = at.types
    shape = dimensions(types[1]) if len(types) > 1 else None
    size = {0: 3, 1: 3, 2: 5}.get(at.operation.integer("fmr", -1) or 0)
    if shape is None or len(shape) != 4 or size is None:
        return None
    window = shape[1:3]
    if all(each in (1, size) for each in window):
        return None
    sizes = "x".join(map(_shown, window))
    return Refusal(f"the window of {at.shown} is {sizes}, but `fmr` is for one of {size}x{size}")


def _transfers_to_buffers(at: Target) -> Refusal | None:
    values, results = operands_of(at.payload), at.payload.written.results if at.payload.written is not None else ()
    types = [*(type_of(value) for value in values or ()), *(type_of(result) for result in results)]
    if values is None or any(type_ is None or type_.startswith("tensor<") for type_ in types):
        return None
    return Refusal(f"{at.shown} has no tensors: nothing of it is bufferized")


def _vectorized(at: Target) -> Refusal | None:
    loops = at.loops
    for child in _body(at.payload) or ():
        definition = child.definition(at.run.context.catalogue)
        traits = definition.traits if definition is not None and definition.versions else _VECTORIZED
        if traits.isdisjoint(_VECTORIZED) and child.name not in _IN_BODIES:
            return Refusal(f"{at.shown} has {child.shown} in its body, which is not vectorized")
    for number, own in enumerate(loops.maps or ()):
        if own is not None and is_projected_permutation(own) is not True:
            return Refusal(f"the indexing map of operand #{number} of {at.shown} is no projected permutation")
    elements = (element_of(type_) for type_ in at.types)
    other = next((each for each in elements if each is not None and _SCALAR.fullmatch(each) is None), None)
    if other is not None:
        return Refusal(f"{at.shown} has elements of type `{other}`, which vectors cannot have")
    if REDUCTION in (loops.kinds or ()) and _combiner(at.payload) not in (None, *_COMBINERS):
        return Refusal(f"{at.shown} reduces by `{_combiner(at.payload)}`, which no vector reduction does")
    if re.search(r"linalg\.(conv|pooling|depthwise_conv)_([23]d|nhwc|nchw)", at.payload.name):
        return Refusal(f"{at.shown} has more than one spatial dimension", _DECOMPOSE)
    return None


_VECTORIZED = frozenset({"Elementwise", "Scalarizable", "Vectorizable", "ConstantLike", "IsTerminator"})
_SCALAR = re.compile(r"[su]?i\d+|index|b?f\d\w*|tf32", re.ASCII)
_CONSTANT = "arith.constant"
_IN_BODIES = frozenset({"linalg.index", "linalg.yield", "tensor.extract", _CONSTANT})
_COMBINERS = (
    *("arith.addf", "arith.addi", "arith.mulf", "arith.muli", "arith.andi", "arith.ori", "arith.xori"),
    *(f"arith.{kind}" for kind in ("maximumf", "minimumf", "maxnumf", "minnumf", "maxsi", "minsi", "maxui", "minui")),
)
_DECOMPOSE = "`transform.structured.decompose` makes it one of a single dimension, after tiling"


def _combiner(payload: PayloadOperation) -> str | None:
    block = payload.written.body if payload.written is not None else None
    value = next(iter(block.yielded), None) if block is not None else None
    return value.operation.name if value is not None and value.operation is not None else None


# Buffers


def _multibuffered(at: Target) -> Refusal | None:
    results = at.payload.written.results if at.payload.written is not None else ()
    users = _users(at.run, results[0]) if len(results) == 1 else None
    written = [(user, user.written) for user in users or () if user.written is not None]
    if any(outer in at.payload.ancestors() for user, _ in written for outer in _loops_around(user)[:1]):
        help_text = "move it out of the loop first, as `transform.apply_licm` does"
        return Refusal(f"{at.shown} is in the loop itself", help_text)
    written.sort(key=lambda pair: pair[1].span.start)
    copy = next((user for user, own in written if user.name == _COPY and own.operands[-1] is results[0]), None)
    if not written:
        return None
    if copy is None:
        wrong = f"no `{_COPY}` overwrites {at.shown} in a loop"
    elif copy is not written[0][0]:
        wrong = f"{written[0][0].shown} uses {at.shown} before `{_COPY}` overwrites it"
    else:
        loops = _loops_around(copy)
        outer = next((user for user, _ in written if not set(loops[:1]).issubset(user.ancestors())), None)
        if outer is None:
            return None
        wrong = f"{outer.shown} uses {at.shown} outside of the loop in which `{_COPY}` overwrites it"
    return Refusal(wrong, "with `skip_analysis`, MLIR takes it that each iteration overwrites all of it")


def _loops_around(payload: PayloadOperation) -> list[PayloadOperation]:
    return [outer for outer in payload.ancestors() if outer.name in _LOOPS]


def _independent(at: Target) -> Refusal | None:
    for value in operands_of(at.payload) or ():
        if value is not None and value.operation is not None and not value.operation.has_trait("ConstantLike"):
            maker = value.operation.name
            return Refusal(f"the size `{value.shown}` of {at.shown} comes from `{maker}`, of which no bound is known")
    return None


_FOR, _FORALL, _PARALLEL, _AFFINE_FOR = "scf.for", "scf.forall", "scf.parallel", "affine.for"
_COPY = "memref.copy"
_LOOPS = frozenset({_FOR, _AFFINE_FOR, _FORALL, _PARALLEL, "affine.parallel", "scf.while"})
_BUFFERIZE = "bufferize the function first"
_MATMULS = ("linalg.matmul", "linalg.batch_matmul")

CHECKS: dict[str, tuple[_Check, ...]] = {
    "transform.loop.coalesce": (_coalesced,),
    "transform.loop.forall_to_for": (_only(_FORALL), _without_results("converted", _BUFFERIZE)),
    "transform.loop.forall_to_parallel": (_only(_FORALL), _without_results("converted", _BUFFERIZE)),
    "transform.loop.parallel_for_to_nested_fors": (_only(_PARALLEL), _without_results("converted")),
    "transform.loop.outline": (_outlined,),
    "transform.loop.unroll_and_jam": (_jammed,),
    "transform.structured.convert_to_loops": (_on_buffers("converted to loops"),),
    "transform.structured.decompose_winograd_op": (_only(*_TRANSFORMS),),
    "transform.structured.flatten_elementwise": (_elementwise,),
    "transform.structured.fuse": (_on_tensors("fused"),),
    "transform.structured.hoist_pad": (_hoisted_padding,),
    "transform.structured.pack": (_on_tensors("packed"),),
    "transform.structured.transpose_matmul": (_only(*_MATMULS), _on_tensors("transposed")),
    "transform.structured.winograd_conv2d": (_static("converted"), _on_tensors("converted"), _winograd),
}
AFTERWARDS: dict[str, tuple[_Check, ...]] = {
    "transform.loop.fuse_sibling": (_fused_with_sibling,),
    "transform.loop.peel": (_peeled,),
    "transform.loop.pipeline": (_pipelined,),
    "transform.loop.unroll": (_affine_bound,),
    "transform.memref.make_loop_independent": (_independent,),
    "transform.memref.multibuffer": (_multibuffered,),
    "transform.structured.bufferize_to_allocation": (_transfers_to_buffers,),
    "transform.structured.convert_conv2d_to_img2col": (_on_tensors("converted"), _static("converted")),
    "transform.structured.decompose": (_on_tensors("decomposed"), _decomposed),
    "transform.structured.decompose_interface": (_aggregated,),
    "transform.structured.fuse_into_containing_op": (_fused_into,),
    "transform.structured.pad": (_on_tensors("padded"), _padded),
    "transform.structured.promote": (_promoted,),
    "transform.structured.specialize": (_specialized,),
    "transform.structured.tile_reduction_using_for": (_on_tensors("tiled along reductions"),),
    "transform.structured.tile_reduction_using_forall": (_on_tensors("tiled along reductions"),),
    "transform.structured.vectorize": (_vectorized,),
    "transform.tensor.make_loop_independent": (_independent,),
}
