"""Operations that tile, pad, split, vectorize or map loops: what they refuse in a known payload by their sizes.

After Vectorization.cpp, GPUTransformOps.cpp and LinalgTransformOps.cpp. Conditions on each target alone are those of
`refusing_structured.py` and `refusing_loops.py`.
"""

from __future__ import annotations

import re
from enum import Enum
from math import prod
from typing import TYPE_CHECKING

from tdls.analysis.handles.operations.row import Meaning
from tdls.analysis.handles.shortfalls import Shortfall, ShortfallKind
from tdls.payload.attributes import own_attribute, split
from tdls.payload.kinds import STRUCTURED
from tdls.payload.loops import DYNAMIC, REDUCTION, bounds_of, dimensions, element_of
from tdls.payload.operations import operands_of, result_count, result_type, type_of
from tdls.structs import NamedTuple
from tdls.text.scanning import integers_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.analysis.handles.payload_run import PayloadRun
    from tdls.payload.operations import PayloadOperation
    from tdls.semantic.model import Operation, Value

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


def _vectorize(run: PayloadRun, operation: Operation) -> None:
    """Fail if ``transform.structured.vectorize`` refuses its sizes for one of the targets."""
    spelled = operation.spelled(_SIZES) or "[]"
    sizes = integers_in(spelled)
    _with_sizes(vector_sizes=_Each.HANDLE)(run, operation)
    has_handles = len(operation.operands) > 1
    is_scalable = "[" in spelled.strip()[1:] or "true" in (operation.spelled("scalable_sizes") or "")
    for payload in run.held(operation.first_operand) or ():
        ranges = run.loops(payload).ranges or ()
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


_LOOP = "scf.forall"
_MAPPING = "mapping"
_BLOCKS = frozenset({"block"})
_THREADS = frozenset({"thread", "warp", "warpgroup", "lane"})
_ELEMENT = re.compile(r"#gpu\.(block|thread|warpgroup|warp|lane)<(\w+)>", re.ASCII)
_DIMENSIONS = {"x": 0, "y": 1, "z": 2}
_LINEAR = "linear"
_TILES, _FORMER_TILES, _NUMBERS = "static_tile_sizes", "tile_sizes", "static_num_threads"
_HELP = "map each dimension of the loop where it is made, as in `(mapping = [{}])`"


class _Mapped(NamedTuple):
    """One dimension of a loop."""

    kind: str
    dimension: str


class _Loop(NamedTuple):
    """A ``scf.forall``. Unknown properties are None."""

    operation: PayloadOperation
    mapping: tuple[_Mapped, ...] | None
    """() for a loop without mapping."""
    sizes: tuple[int, ...] | None
    """The number of iterations of each dimension, `DYNAMIC` for one that is known only when the payload runs."""
    results: int | None


def _to_blocks(run: PayloadRun, operation: Operation) -> None:
    """Check ``transform.gpu.map_forall_to_blocks``, which maps the only outermost loop of each target."""
    grid = operation.integers("grid_dims")
    for payload in run.held(operation.first_operand) or ():
        loops = [loop for loop in _loops_in(run, payload) if _is_outermost(loop, payload)]
        sure = [loop for loop in loops if loop.is_sure]
        others = len(sure) < len(loops) or run.introduced.may_have(_LOOP)
        if len(sure) > 1 or (not sure and not others):
            which = f"{len(sure)} outermost loops `{_LOOP}`" if sure else f"no loop `{_LOOP}`"
            message = f"{payload.shown} has {which}, but `{operation.name}` maps one"
            run.refuse(operation, message)
        for loop in sure:
            _check(run, operation, _read(run, loop), _BLOCKS, grid)


def _to_threads(run: PayloadRun, operation: Operation) -> None:
    """Check ``transform.gpu.map_nested_forall_to_threads``, which maps all loops of each target."""
    block = operation.integers("block_dims")
    for payload in run.held(operation.first_operand) or ():
        for loop in _loops_in(run, payload):
            if loop.is_sure:
                _check(run, operation, _read(run, loop), _THREADS, block)


def _loops_in(run: PayloadRun, payload: PayloadOperation) -> Iterator[PayloadOperation]:
    for nested in payload.walk():
        run.budget.spend()
        if nested.name == _LOOP:
            yield nested


def _is_outermost(loop: PayloadOperation, target: PayloadOperation) -> bool:
    """Tell whether no other loop is around `loop`, in the `target` or around it."""
    return loop is target or not any(outer.name == _LOOP for outer in loop.ancestors())


def _read(run: PayloadRun, loop: PayloadOperation) -> _Loop:
    maker, source = loop.made_by, loop.made_from
    if maker is not None and source is not None:
        spelled = maker.spelled(_MAPPING) or "[]"
        return _Loop(loop, _mapping_in(run, spelled), _sizes_of_tiles(run, maker, source), result_count(source))
    if loop.written is None or loop.written.syntax.broken or _MAPPING in loop.annotated:
        return _Loop(loop, None, None, None)
    mapping = _mapping_in(run, own_attribute(loop, _MAPPING, run.payload.aliases) or "[]")
    return _Loop(loop, mapping, bounds_of(loop), result_count(loop))


def _mapping_in(run: PayloadRun, spelled: str) -> tuple[_Mapped, ...] | None:
    """Return the mapping of each dimension; None if one is an attribute of another dialect."""
    elements = split(spelled.strip()[1:-1])
    found = [_ELEMENT.fullmatch(run.payload.aliases.get(element, element)) for element in elements]
    known = tuple(_Mapped(each[1], each[2]) for each in found if each is not None)
    return known if len(known) == len(elements) else None


def _sizes_of_tiles(run: PayloadRun, maker: Operation, source: PayloadOperation) -> tuple[int, ...] | None:
    """Return the numbers of tiles that `maker` cuts the loops of `source` into, without those that it leaves whole."""
    numbers = maker.integers(_NUMBERS)
    given = numbers or maker.integers(_TILES)
    ranges = run.loops(source).ranges
    if not given or None in given or (ranges is None and not numbers):
        return None
    sizes = [size or 0 for size in given]
    if numbers:
        return tuple(size for size in sizes if size)
    if ranges is None or DYNAMIC in ranges or min(sizes) < 0:
        return None
    return tuple(-(-trips // size) for trips, size in zip(ranges, sizes, strict=False) if size)


def _check(
    run: PayloadRun, operation: Operation, loop: _Loop, kinds: frozenset[str], given: Sequence[int | None] | None
) -> None:
    """Fail if a loop cannot be mapped to one of `kinds`, of which there are as many as `given`."""
    shown = loop.operation.shown
    noun = "blocks" if kinds is _BLOCKS else "threads"
    example = ", ".join(f"#gpu.{noun[:-1]}<{dimension}>" for dimension in "xyz"[: len(loop.sizes or "x")])
    found = {each.kind for each in loop.mapping or ()}
    if loop.mapping == ():
        run.refuse(operation, f"{shown} has no `{_MAPPING}` to {noun} of a GPU", _HELP.format(example))
    if len(found) > 1 or not found <= kinds:
        to = " and ".join(f"`#gpu.{kind}`" for kind in sorted(found))
        run.refuse(operation, f"{shown} is mapped to {to}, not to {noun}", _HELP.format(example))
    if len(set(loop.mapping or ())) < len(loop.mapping or ()):
        run.refuse(operation, f"two dimensions of {shown} are mapped to the same dimension of a GPU")
    if len({each.dimension.startswith(_LINEAR) for each in loop.mapping or ()}) > 1:
        run.refuse(operation, f"{shown} mixes linear dimensions of a GPU and others in its `{_MAPPING}`")
    if loop.results:
        help_text = "bufferize the function first"
        run.refuse(operation, f"{shown} has results: only loops over buffers are mapped to {noun}", help_text)
    if loop.mapping is None or loop.sizes is None:
        return
    if DYNAMIC in loop.sizes:
        which = loop.sizes.index(DYNAMIC)
        run.refuse(operation, f"dimension #{which} of {shown} has a dynamic size: only static loops are mapped")
    if found <= {"block", "thread"} and given and None not in given:
        _check_sizes(run, operation, loop, [size or 0 for size in given], noun)


def _check_sizes(run: PayloadRun, operation: Operation, loop: _Loop, given: Sequence[int], noun: str) -> None:
    sizes, mapping = loop.sizes or (), loop.mapping or ()
    too_many: tuple[str, int] | None = None
    if prod(sizes) > prod(given):
        too_many = f"{prod(sizes)} iterations", prod(given)
    for size, mapped in zip(sizes, mapping, strict=False):
        number = _DIMENSIONS.get(mapped.dimension)
        if number is not None and number < len(given) and size > given[number]:
            too_many = f"{size} iterations in `{mapped.dimension}`", given[number]
    if too_many is not None:
        iterations, most = too_many
        message = f"{loop.operation.shown} has {iterations}, more than {most} {noun[:-1] if most == 1 else noun}"
        run.refuse(operation, message, f"tile the loop further, or give more {noun}")


class _Each(Enum):
    """The unit that needs one operation with a size."""

    HANDLE = "handle"
    TARGET = "target"
    SIZE = "size"


def _with_sizes(**groups: _Each) -> Callable[[PayloadRun, Operation], None]:
    """Return the check of an operation that takes sizes from payload operations with an index as only result.

    `groups` are the operand groups with handles of these operations.
    """

    def check(run: PayloadRun, operation: Operation) -> None:
        targets = run.held(operation.first_operand)
        for group, count in groups.items() if targets != () else ():
            wanted = 1 if count is _Each.HANDLE else len(targets) if count is _Each.TARGET and targets else None
            for handle in operation.group(group):
                if handle is not None:
                    _check_size(run, operation, handle, wanted, count)

    return check


def _check_size(run: PayloadRun, operation: Operation, handle: Value, wanted: int | None, count: _Each) -> None:
    held, parameters = run.held(handle), run.parameters(handle)
    given = len(held) if held is not None else len(parameters) if parameters is not None else wanted
    if given != wanted and wanted is not None:
        noun = "payload operation" if held is not None else "value"
        message = f"`{handle.shown}` holds {given or 'no'} {noun}{'' if given == 1 else 's'}, but "
        message += "one" if count is _Each.HANDLE else f"one for each of the {wanted} targets" if wanted > 1 else "one"
        run.refuse(operation, f"{message} is needed here")
    for size in held or ():
        results, kind = result_count(size), result_type(size)
        if results not in (None, 1) or (kind is not None and kind != "index"):
            has = f"a result of the type `{kind}`" if results == 1 else f"{results or 'no'} results"
            noun = "a point to split at" if operation.name == _SPLIT else "a size"
            message = f"{size.shown} has {has}: {noun} is an operation with one result, an `index`"
            run.refuse(operation, message)


def _pad(run: PayloadRun, operation: Operation) -> None:
    """Check ``transform.structured.pad``, whose values have the type of the elements of their operands."""
    attribute = operation.syntax.attribute("padding_values")
    values = split((attribute.value or "").strip()[1:-1]) if attribute is not None else []
    for payload in run.held(operation.first_operand) or ():
        for number, (value, operand) in enumerate(zip(values, operands_of(payload) or (), strict=False)):
            typed, own = _NUMBER.fullmatch(value), element_of(type_of(operand) or "")
            given = (typed[2] or ("f64" if "." in typed[1] else "i64")) if typed is not None else None
            if given is not None and own is not None and own != given:
                message = f"operand {number} of {payload.shown} has elements of the type `{own}`, but `{value}` pads it"
                run.refuse(operation, message, place=attribute)


_NUMBER = re.compile(r"(-?\d[\w.+-]*)(?:\s*:\s*([if]\d+|bf16|index))?", re.ASCII)


def _tile_using_forall(run: PayloadRun, operation: Operation) -> None:
    """Record the first reduction of the targets that is tiled, as MLIR warns: more than one thread, or any size."""
    number, least = (_NUMBERS, 2) if operation.integers(_NUMBERS) else (_TILES, 1)
    for payload in run.held(operation.first_operand) or ():
        loop = next(
            (loop for loop, size, _ in _tiled_reductions(run, operation, payload, number) if size >= least), None
        )
        if loop is not None:
            message = f"loop #{loop} of {payload.shown} is a reduction, whose tiles would run at the same time"
            help_text = "give it the size 0, and tile it with a loop that is not parallel"
            _note_wrong(run, operation, number, message, help_text)
            break
    sizes = _with_sizes(
        num_threads=_Each.HANDLE, tile_sizes=_Each.HANDLE, packed_num_threads=_Each.SIZE, packed_tile_sizes=_Each.SIZE
    )
    sizes(run, operation)


def _fuse(run: PayloadRun, operation: Operation) -> None:
    """Check ``transform.structured.fuse``, which moves what initializes a result into the loops of a reduction."""
    number = _TILES if operation.integers(_TILES) else _FORMER_TILES
    for payload in run.held(operation.first_operand) or ():
        tiled = _tiled_reductions(run, operation, payload, number)
        loop = next((loop for loop, size, trips in tiled if trips == DYNAMIC or size < trips), None)
        loops = run.loops(payload)
        inits = loops.operands[loops.inputs :] if loops.operands is not None and loops.inputs is not None else ()
        makers = [value.operation for value in inits if value is not None and value.operation is not None]
        maker = next((it for it in makers if it.has_trait(STRUCTURED) and run.is_as_written(it)), None)
        if loop is not None and maker is not None:
            message = f"loop #{loop} of {payload.shown} is a reduction, each tile of which would begin with "
            message += f"`{maker.name}` again: what earlier tiles give is lost"
            help_text = "give it the size 0, and tile it afterwards with `transform.structured.tile_using_for`"
            _note_wrong(run, operation, number, message, help_text)
            break
    _with_sizes(tile_sizes=_Each.HANDLE)(run, operation)


def _tiled_reductions(
    run: PayloadRun, operation: Operation, payload: PayloadOperation, number: str
) -> Iterator[tuple[int, int, int]]:
    """Yield each reduction that the attribute `number` tiles: the loop, its size, and its trip count."""
    loops = run.loops(payload)
    kinds, ranges = loops.kinds or (), loops.ranges
    for loop, size in enumerate((operation.integers(number) or ())[: len(kinds)]):
        if kinds[loop] == REDUCTION and size:
            yield loop, size, ranges[loop] if ranges is not None else DYNAMIC


def _note_wrong(run: PayloadRun, operation: Operation, number: str, message: str, help_text: str) -> None:
    attribute = operation.syntax.attribute(number)
    run.finds_nothing(Shortfall(operation, ShortfallKind.WRONG, message, attribute, help_text))


_SPLIT = "transform.structured.split"
MEANINGS = {
    "transform.structured.fuse": Meaning(refuses=_fuse),
    "transform.structured.pack": Meaning(refuses=_with_sizes(packed_sizes=_Each.HANDLE)),
    "transform.structured.pad": Meaning(refuses=_pad),
    _SPLIT: Meaning(refuses=_with_sizes(dynamic_chunk_sizes=_Each.TARGET)),
    "transform.structured.tile_using_for": Meaning(refuses=_with_sizes(dynamic_sizes=_Each.TARGET)),
    "transform.structured.tile_using_forall": Meaning(refuses=_tile_using_forall),
    "transform.structured.vectorize": Meaning(refuses=_vectorize),
    "transform.gpu.map_forall_to_blocks": Meaning(refuses=_to_blocks),
    "transform.gpu.map_nested_forall_to_threads": Meaning(refuses=_to_threads),
}
