"""What operations that map loops to blocks and threads of a GPU ask of each of their targets.

After GPUTransformOps.cpp. `CHECKS` are as in `loops.py`.
"""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING

from tdls.analysis.refusals.target import Unmet
from tdls.payload.attributes import own_attribute, split
from tdls.payload.loops import DYNAMIC, bounds_of
from tdls.payload.operations import result_count
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.analysis.refusals.target import Refuses, Target
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


def _on_blocks(at: Target) -> Unmet | None:
    """Refuse a target whose only outermost loop is not mapped by ``transform.gpu.map_forall_to_blocks``."""
    loops = [
        loop
        for loop in _loops_in(at)
        if loop is at.payload or not any(outer.name == _LOOP for outer in loop.ancestors())
    ]
    sure = [loop for loop in loops if loop.is_sure]
    others = len(sure) < len(loops) or at.run.introduced.may_have(_LOOP)
    if len(sure) > 1 or (not sure and not others):
        which = f"{len(sure)} outermost loops `{_LOOP}`" if sure else f"no loop `{_LOOP}`"
        return Unmet(f"{at.shown} has {which}, but `{at.operation.name}` maps one")
    return _first_unmapped(at, sure, _BLOCKS, at.operation.integers("grid_dims"))


def _on_threads(at: Target) -> Unmet | None:
    """Refuse a target with a loop that ``transform.gpu.map_nested_forall_to_threads`` does not map."""
    sure = (loop for loop in _loops_in(at) if loop.is_sure)
    return _first_unmapped(at, sure, _THREADS, at.operation.integers("block_dims"))


def _first_unmapped(
    at: Target, loops: Iterable[PayloadOperation], kinds: frozenset[str], given: Sequence[int | None] | None
) -> Unmet | None:
    return next(filter(None, (_unmapped(_read(at, loop), kinds, given) for loop in loops)), None)


def _loops_in(at: Target) -> Iterator[PayloadOperation]:
    for nested in at.payload.walk():
        at.run.budget.spend()
        if nested.name == _LOOP:
            yield nested


def _read(at: Target, loop: PayloadOperation) -> _Loop:
    maker, source = loop.made_by, loop.made_from
    if maker is not None and source is not None:
        spelled = maker.spelled(_MAPPING) or "[]"
        return _Loop(loop, _mapping_in(at, spelled), _sizes_of_tiles(at, maker, source), result_count(source))
    if loop.written is None or loop.written.syntax.broken or _MAPPING in loop.annotated:
        return _Loop(loop, None, None, None)
    mapping = _mapping_in(at, own_attribute(loop, _MAPPING, at.run.payload.aliases) or "[]")
    return _Loop(loop, mapping, bounds_of(loop), result_count(loop))


def _mapping_in(at: Target, spelled: str) -> tuple[_Mapped, ...] | None:
    """Return the mapping of each dimension, or None if one is an attribute of another dialect."""
    elements = split(spelled.strip()[1:-1])
    matches = [_ELEMENT.fullmatch(at.run.payload.aliases.get(element, element)) for element in elements]
    known = tuple(_Mapped(each[1], each[2]) for each in matches if each is not None)
    return known if len(known) == len(elements) else None


def _sizes_of_tiles(at: Target, maker: Operation, source: PayloadOperation) -> tuple[int, ...] | None:
    """Return the numbers of tiles that `maker` cuts the loops of `source` into, without those that it leaves whole."""
    numbers = maker.integers(_NUMBERS)
    given = numbers or maker.integers(_TILES)
    ranges = at.run.loops(source).ranges
    if not given or None in given or (ranges is None and not numbers):
        return None
    sizes = [size or 0 for size in given]
    if numbers:
        return tuple(size for size in sizes if size)
    if ranges is None or DYNAMIC in ranges or min(sizes) < 0:
        return None
    return tuple(-(-trips // size) for trips, size in zip(ranges, sizes, strict=False) if size)


def _unmapped(loop: _Loop, kinds: frozenset[str], given: Sequence[int | None] | None) -> Unmet | None:
    """Refuse a loop that cannot be mapped to one of `kinds`, of which each dimension has as many as `given` says."""
    shown = loop.operation.shown
    noun = "blocks" if kinds is _BLOCKS else "threads"
    example = ", ".join(f"#gpu.{noun[:-1]}<{dimension}>" for dimension in "xyz"[: len(loop.sizes or "x")])
    mapped = {each.kind for each in loop.mapping or ()}
    if loop.mapping == ():
        return Unmet(f"{shown} has no `{_MAPPING}` to {noun} of a GPU", _HELP.format(example))
    if len(mapped) > 1 or not mapped <= kinds:
        to = " and ".join(f"`#gpu.{kind}`" for kind in sorted(mapped))
        return Unmet(f"{shown} is mapped to {to}, not to {noun}", _HELP.format(example))
    if len(set(loop.mapping or ())) < len(loop.mapping or ()):
        return Unmet(f"two dimensions of {shown} are mapped to the same dimension of a GPU")
    if len({each.dimension.startswith(_LINEAR) for each in loop.mapping or ()}) > 1:
        return Unmet(f"{shown} mixes linear dimensions of a GPU and others in its `{_MAPPING}`")
    if loop.results:
        message = f"{shown} has results: only loops over buffers are mapped to {noun}"
        return Unmet(message, "bufferize the function first")
    if loop.mapping is None or loop.sizes is None:
        return None
    if DYNAMIC in loop.sizes:
        which = loop.sizes.index(DYNAMIC)
        return Unmet(f"dimension #{which} of {shown} has a dynamic size: only static loops are mapped")
    is_counted = mapped <= {"block", "thread"} and bool(given) and None not in (given or ())
    return _too_large(loop, [size or 0 for size in given or ()], noun) if is_counted else None


def _too_large(loop: _Loop, given: Sequence[int], noun: str) -> Unmet | None:
    sizes, mapping = loop.sizes or (), loop.mapping or ()
    too_many: tuple[str, int] | None = None
    if prod(sizes) > prod(given):
        too_many = f"{prod(sizes)} iterations", prod(given)
    for size, mapped in zip(sizes, mapping, strict=False):
        number = _DIMENSIONS.get(mapped.dimension)
        if number is not None and number < len(given) and size > given[number]:
            too_many = f"{size} iterations in `{mapped.dimension}`", given[number]
    if too_many is None:
        return None
    iterations, most = too_many
    message = f"{loop.operation.shown} has {iterations}, more than {most} {noun[:-1] if most == 1 else noun}"
    return Unmet(message, f"tile the loop further, or give more {noun}")


CHECKS: dict[str, tuple[Refuses, ...]] = {
    "transform.gpu.map_forall_to_blocks": (_on_blocks,),
    "transform.gpu.map_nested_forall_to_threads": (_on_threads,),
}
