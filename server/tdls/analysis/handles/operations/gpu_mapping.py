"""Operations that map the ``scf.forall`` loops of a known payload to the blocks and threads of a GPU.

After GPUTransformOps.cpp: they refuse loops without a mapping of their kind, loops that are not bufferized, and more
iterations than blocks or threads.
"""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING

from tdls.analysis.handles.operations.rewriting import rewrite
from tdls.analysis.handles.operations.row import Meaning
from tdls.payload.attributes import own_attribute, split
from tdls.payload.loops import DYNAMIC, Loops, bounds_of
from tdls.payload.operations import result_count
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.handles.payload_run import PayloadRun
    from tdls.payload.operations import PayloadOperation
    from tdls.semantic.model import Operation

_LOOP = "scf.forall"
_MAPPING = "mapping"
_BLOCKS = frozenset({"block"})
_THREADS = frozenset({"thread", "warp", "warpgroup", "lane"})
_ELEMENT = re.compile(r"#gpu\.(block|thread|warpgroup|warp|lane)<(\w+)>", re.ASCII)
_DIMENSIONS = {"x": 0, "y": 1, "z": 2}
_LINEAR = "linear"
_TILES, _NUMBERS = "static_tile_sizes", "static_num_threads"
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
    """Evaluate ``transform.gpu.map_forall_to_blocks``, which maps the only outermost loop of each target."""
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
    rewrite(run, operation)


def _to_threads(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.gpu.map_nested_forall_to_threads``, which maps all loops of each target."""
    block = operation.integers("block_dims")
    for payload in run.held(operation.first_operand) or ():
        for loop in _loops_in(run, payload):
            if loop.is_sure:
                _check(run, operation, _read(run, loop), _THREADS, block)
    rewrite(run, operation)


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
    ranges = Loops(source, run.context.catalogue, run.payload.aliases).ranges
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


MEANINGS = {
    "transform.gpu.map_forall_to_blocks": Meaning(evaluates=_to_blocks),
    "transform.gpu.map_nested_forall_to_threads": Meaning(evaluates=_to_threads),
}
