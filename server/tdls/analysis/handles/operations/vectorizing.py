"""Vectorization of a known payload: the sizes and shapes that ``transform.structured.vectorize`` refuses.

After Vectorization.cpp: structured operations need a size for each loop, others one for each dimension of a shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.payload.loops import DYNAMIC, Loops, dimensions
from tdls.payload.operations import operands_of, result_type, type_of
from tdls.structs import NamedTuple
from tdls.text.scanning import integers_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.analysis.handles.payload_run import PayloadRun
    from tdls.payload.operations import PayloadOperation
    from tdls.semantic.model import Operation

_SIZES = "static_vector_sizes"
_PAD, _PACK, _UNPACK = "tensor.pad", "linalg.pack", "linalg.unpack"
_CONSTANT = "ConstantLike"
_FORMER, _WHOLE = 19, 22
"""Versions of which it is known what vector sizes of a packing mean."""


class _Shape(NamedTuple):
    """A shape that vector sizes are given for."""

    sizes: tuple[int, ...]
    is_covered: bool = True
    """True if no vector size may be smaller than its dimension."""


def check_vector_sizes(run: PayloadRun, operation: Operation) -> None:
    """Fail if ``transform.structured.vectorize`` refuses its sizes for one of the targets."""
    spelled = operation.spelled(_SIZES) or "[]"
    sizes = integers_in(spelled)
    has_handles = len(operation.operands) > 1
    is_scalable = "[" in spelled.strip()[1:] or "true" in (operation.spelled("scalable_sizes") or "")
    for payload in run.held(operation.first_operand) or ():
        ranges = Loops(payload, run.context.catalogue, run.payload.aliases).ranges or ()
        if sizes == () and not has_handles and DYNAMIC in ranges:
            which = f"loop #{ranges.index(DYNAMIC)} of {payload.shown}"
            message = f"{which} has a dynamic size, and no `vector_sizes` are given"
            run.refuse(operation, message, "give a vector size for each loop, or tile it to static sizes first")
        for loop, (size, trips) in enumerate(zip(sizes or (), ranges, strict=False) if not is_scalable else ()):
            if size is not None and 0 <= size < trips:
                message = f"loop #{loop} of {payload.shown} has {trips} iterations, more than its vector size {size}"
                help_text = "no vector size may be smaller than its loop; tile the loop first"
                run.refuse(operation, message, help_text, operation.syntax.attribute(_SIZES))
        if sizes is not None and (sizes or not has_handles):
            _check_shapes(run, operation, payload, sizes, is_scalable=is_scalable)


def _check_shapes(
    run: PayloadRun,
    operation: Operation,
    payload: PayloadOperation,
    sizes: Sequence[int | None],
    *,
    is_scalable: bool,
) -> None:
    """Fail if no version of MLIR vectorizes a padding, packing or unpacking with these sizes."""
    attribute = operation.syntax.attribute(_SIZES)
    if payload.name == _PAD and _has_computed_padding(run, payload):
        run.refuse(operation, f"{payload.shown} computes its padding: only a constant one is vectorized")
    shapes = _shapes(payload, run.context.catalogue.target)
    if not shapes or any(not shape.sizes for shape in shapes):
        return
    is_dynamic = any(DYNAMIC in shape.sizes for shape in shapes)
    if not sizes and (payload.name == _PAD or is_dynamic):
        noun = "of dynamic size " if is_dynamic else ""
        message = f"{payload.shown} {noun}is not vectorized without `vector_sizes`"
        run.refuse(operation, message, f"give {_ranks(shapes)} sizes, one for each dimension")
    fitting = [shape for shape in shapes if len(shape.sizes) == len(sizes)]
    if sizes and not fitting:
        count = f"{len(sizes)} vector size{' is' if len(sizes) == 1 else 's are'}"
        message = f"{count} given for {payload.shown}, which needs {_ranks(shapes)}"
        run.refuse(operation, message, place=attribute)
    for shape in fitting if not is_scalable else ():
        smaller = [
            (number, size, extent)
            for number, (size, extent) in enumerate(zip(sizes, shape.sizes, strict=True))
            if size is not None and size < extent
        ]
        if smaller and len(fitting) == 1 and shape.is_covered:
            number, size, extent = smaller[0]
            message = f"dimension #{number} of {payload.shown} is {extent}, more than its vector size {size}"
            run.refuse(operation, message, "no vector size may be smaller than its dimension; tile it first", attribute)


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


def _has_computed_padding(run: PayloadRun, payload: PayloadOperation) -> bool:
    """Tell whether the body of a ``tensor.pad`` yields an argument, or the result of an operation in it."""
    written = payload.written if payload.is_as_written else None
    block = written.body if written is not None else None
    terminator = block.terminator if block is not None else None
    value = terminator.first_operand if terminator is not None else None
    if value is None:
        return False
    if value.operation is None:
        return value.block is block
    definition = run.context.catalogue.operation(value.operation.name)
    return value.operation.block is block and definition is not None and _CONSTANT not in definition.traits
