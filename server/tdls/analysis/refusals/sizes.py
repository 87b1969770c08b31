"""What operations on structured operations ask of the sizes of each of their targets.

After Vectorization.cpp and LinalgTransformOps.cpp. `CHECKS` are as in `loops.py`; those of `WRONG` tell why the payload
computes something else afterwards, of which MLIR says nothing, or warns only.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.refusals.target import Unmet
from tdls.payload.attributes import split
from tdls.payload.kinds import STRUCTURED
from tdls.payload.loops import DYNAMIC, REDUCTION, dimensions, element_of
from tdls.payload.operations import operands_of, result_type, type_of
from tdls.structs import NamedTuple
from tdls.text.scanning import integers_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.refusals.target import Refuses, Target
    from tdls.payload.operations import PayloadOperation

_SIZES = "static_vector_sizes"
_PAD, _PACK, _UNPACK = "tensor.pad", "linalg.pack", "linalg.unpack"
_CONSTANT = "ConstantLike"
_FORMER, _WHOLE = 19, 22
"""Versions in which the meaning of a packing's vector sizes is known."""


class _Shape(NamedTuple):
    """A shape that vector sizes are given for."""

    sizes: tuple[int, ...]
    is_covered: bool = True
    """True if no vector size may be smaller than its dimension."""


def _vectorized(at: Target) -> Unmet | None:
    """Refuse a target whose loops or dimensions are larger than the vector sizes, or have others."""
    spelled, attribute = at.operation.spelled(_SIZES) or "[]", at.operation.syntax.attribute(_SIZES)
    sizes, has_handles = integers_in(spelled), len(at.operation.operands) > 1
    is_scalable = "[" in spelled.strip()[1:] or "true" in (at.operation.spelled("scalable_sizes") or "")
    ranges = at.loops.ranges or ()
    if sizes == () and not has_handles and DYNAMIC in ranges:
        message = f"loop #{ranges.index(DYNAMIC)} of {at.shown} has a dynamic size, and no `vector_sizes` are given"
        return Unmet(message, "give a vector size for each loop, or tile it to static sizes first")
    for loop, (size, trips) in enumerate(zip(sizes or (), ranges, strict=False) if not is_scalable else ()):
        if size is not None and 0 <= size < trips:
            message = f"loop #{loop} of {at.shown} has {trips} iterations, more than its vector size {size}"
            return Unmet(message, "no vector size may be smaller than its loop; tile the loop first", attribute)
    is_given = sizes is not None and (bool(sizes) or not has_handles)
    return _unfit_shape(at, sizes or (), is_scalable=is_scalable) if is_given else None


def _unfit_shape(at: Target, sizes: Sequence[int | None], *, is_scalable: bool) -> Unmet | None:
    """Refuse a padding, packing or unpacking that no version of MLIR vectorizes with these sizes."""
    payload, attribute = at.payload, at.operation.syntax.attribute(_SIZES)
    if payload.name == _PAD and _has_computed_padding(at):
        return Unmet(f"{at.shown} computes its padding: only a constant one is vectorized")
    shapes = _shapes(payload, at.run.context.catalogue.target)
    if not shapes or any(not shape.sizes for shape in shapes):
        return None
    is_dynamic = any(DYNAMIC in shape.sizes for shape in shapes)
    if not sizes and (payload.name == _PAD or is_dynamic):
        message = f"{at.shown} {'of dynamic size ' if is_dynamic else ''}is not vectorized without `vector_sizes`"
        return Unmet(message, f"give {_ranks(shapes)} sizes, one for each dimension")
    fitting = [shape for shape in shapes if len(shape.sizes) == len(sizes)]
    if sizes and not fitting:
        count = f"{len(sizes)} vector size{' is' if len(sizes) == 1 else 's are'}"
        return Unmet(f"{count} given for {at.shown}, which needs {_ranks(shapes)}", place=attribute)
    for number, (size, extent) in enumerate(zip(sizes, fitting[0].sizes, strict=True) if len(fitting) == 1 else ()):
        if size is not None and size < extent and fitting[0].is_covered and not is_scalable:
            message = f"dimension #{number} of {at.shown} is {extent}, more than its vector size {size}"
            return Unmet(message, "no vector size may be smaller than its dimension; tile it first", attribute)
    return None


def _ranks(shapes: Sequence[_Shape]) -> str:
    return " or ".join(dict.fromkeys(str(len(shape.sizes)) for shape in shapes))


def _shapes(payload: PayloadOperation, target: int | None) -> tuple[_Shape, ...]:
    """Return the shapes one of which the target version of MLIR takes vector sizes for; () if they are not known.

    Up to LLVM 21 they are those of the unpacked operation or of its outer dimensions, then those of the packed one.
    """
    if payload.name == _PAD:
        padded = dimensions(result_type(payload))
        return (_Shape(padded),) if padded is not None else ()
    if payload.name not in (_PACK, _UNPACK):
        return ()
    first, second = (dimensions(type_of(value)) for value in [*(operands_of(payload) or ()), None, None][:2])
    if first is None or second is None:
        return ()
    former, whole = (second[: len(first)], second) if payload.name == _PACK else (second, first)
    is_covered = payload.name == _UNPACK
    known = {_FORMER: (former,), _WHOLE: (whole,)}.get(target or 0, (former, whole))
    return tuple(_Shape(shape, is_covered) for shape in known)


def _has_computed_padding(at: Target) -> bool:
    """Whether the body of a ``tensor.pad`` yields an argument, or the result of an operation in it."""
    written = at.payload.written if at.payload.is_as_written else None
    block = written.body if written is not None else None
    terminator = block.terminator if block is not None else None
    value = terminator.first_operand if terminator is not None else None
    if value is None:
        return False
    if value.operation is None:
        return value.block is block
    definition = at.run.context.catalogue.operation(value.operation.name)
    return value.operation.block is block and definition is not None and _CONSTANT not in definition.traits


def _padded(at: Target) -> Unmet | None:
    """Refuse a target with elements of another type than the values that pad them."""
    attribute = at.operation.syntax.attribute("padding_values")
    values = split((attribute.value or "").strip()[1:-1]) if attribute is not None else []
    for number, (value, operand) in enumerate(zip(values, operands_of(at.payload) or (), strict=False)):
        typed, own = _NUMBER.fullmatch(value), element_of(type_of(operand) or "")
        given = (typed[2] or ("f64" if "." in typed[1] else "i64")) if typed is not None else None
        if given is not None and own is not None and own != given:
            message = f"operand {number} of {at.shown} has elements of the type `{own}`, but `{value}` pads it"
            return Unmet(message, place=attribute)
    return None


_NUMBER = re.compile(r"(-?\d[\w.+-]*)(?:\s*:\s*([if]\d+|bf16|index))?", re.ASCII)


# Reductions


_TILES, _FORMER_TILES, _NUMBERS = "static_tile_sizes", "tile_sizes", "static_num_threads"


def _tiled_in_parallel(at: Target) -> Unmet | None:
    """Tell of the first reduction that is tiled, as MLIR warns: more than one thread, or any size."""
    number, least = (_NUMBERS, 2) if at.operation.integers(_NUMBERS) else (_TILES, 1)
    loop = next((loop for loop, size, _ in _tiled_reductions(at, number) if size >= least), None)
    if loop is None:
        return None
    message = f"loop #{loop} of {at.shown} is a reduction, whose tiles would run at the same time"
    help_text = "give it the size 0, and tile it with a loop that is not parallel"
    return Unmet(message, help_text, at.operation.syntax.attribute(number))


def _initialized_again(at: Target) -> Unmet | None:
    """Report a reduction whose initialization is moved into its loops."""
    number = _TILES if at.operation.integers(_TILES) else _FORMER_TILES
    loop = next((loop for loop, size, trips in _tiled_reductions(at, number) if trips == DYNAMIC or size < trips), None)
    loops = at.loops
    inits = loops.operands[loops.inputs :] if loops.operands is not None and loops.inputs is not None else ()
    makers = [value.operation for value in inits if value is not None and value.operation is not None]
    maker = next((it for it in makers if it.has_trait(STRUCTURED) and at.run.is_as_written(it)), None)
    if loop is None or maker is None:
        return None
    message = f"loop #{loop} of {at.shown} is a reduction, each tile of which would begin with `{maker.name}` again"
    help_text = "give it the size 0, and tile it afterwards with `transform.structured.tile_using_for`"
    return Unmet(f"{message}: what earlier tiles give is lost", help_text, at.operation.syntax.attribute(number))


def _tiled_reductions(at: Target, number: str) -> Iterator[tuple[int, int, int]]:
    """Yield each reduction that the attribute `number` tiles: the loop, its size, and its trip count."""
    kinds, ranges = at.loops.kinds or (), at.loops.ranges
    for loop, size in enumerate((at.operation.integers(number) or ())[: len(kinds)]):
        if kinds[loop] == REDUCTION and size:
            yield loop, size, ranges[loop] if ranges is not None else DYNAMIC


CHECKS: dict[str, tuple[Refuses, ...]] = {
    "transform.structured.pad": (_padded,),
    "transform.structured.vectorize": (_vectorized,),
}
WRONG: dict[str, Refuses] = {
    "transform.structured.fuse": _initialized_again,
    "transform.structured.tile_using_forall": _tiled_in_parallel,
}
