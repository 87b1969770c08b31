"""Scripts of a wanted size, each shape hard for the analysis in its own way."""

from __future__ import annotations

from itertools import count, cycle, islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ANY = "!transform.any_op"
_NAMES = ("linalg.matmul", "linalg.fill", "linalg.generic", "scf.for")


class Shape(NamedTuple):
    """A kind of script: `write` returns one with about so many operations."""

    name: str
    write: Callable[[int], str]


def _straight() -> Iterator[str]:
    """Tile matched operations, unroll the outer loop, use the rest before that: as people write it, in one block."""
    for number, name in zip(count(), cycle(_NAMES[:3])):
        m, t, p, c = (f"%{letter}{number}" for letter in "mtpc")
        yield f'{m} = transform.structured.match ops{{["{name}"]}} in %root : ({ANY}) -> {ANY}'
        tiled = f"{t}, %l{number}:2 = transform.structured.tile_using_for"
        yield f"{tiled} {m} tile_sizes [8, 8] : ({ANY}) -> ({ANY}, {ANY}, {ANY})"
        yield f'{p} = transform.get_parent_op {t} {{op_name = "func.func", deduplicate}} : ({ANY}) -> {ANY}'
        yield f'transform.annotate {p} "tiled" : {ANY}'
        yield f'{c} = transform.cast {t} : {ANY} to !transform.op<"{name}">'
        yield f'transform.annotate {c} "inner" : !transform.op<"{name}">'
        yield f"transform.loop.unroll %l{number}#1 {{factor = 2}} : {ANY}"
        yield f"transform.loop.unroll %l{number}#0 {{factor = 2}} : {ANY}"


def _living() -> Iterator[str]:
    """Match again and again, and let all handles live: each consumed one is compared with all of them."""
    for number, name in zip(count(), cycle(_NAMES)):
        yield f'%m{number} = transform.structured.match ops{{["{name}"]}} in %root : ({ANY}) -> {ANY}'
        yield f'transform.annotate %m{number // 2} "seen" : {ANY}'
        if number % 4 == 2:
            yield f"%g{number} = transform.structured.generalize %m{number} : ({ANY}) -> {ANY}"


def _chained() -> Iterator[str]:
    """Hand one operation on from transform to transform, so that each handle is nested in all loops before."""
    yield f'%t0 = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}'
    for number in count():
        new = f"%t{number + 1}, %l{number}"
        yield f"{new} = transform.structured.tile_using_for %t{number} tile_sizes [8] : ({ANY}) -> ({ANY}, {ANY})"
        yield f'transform.annotate %l{number} "loop" : {ANY}'


def _in_one(lines: Callable[[], Iterator[str]]) -> Callable[[int], str]:
    return lambda size: _module(_sequence("__transform_main", list(islice(lines(), size - 1))))


def _looped(size: int) -> str:
    """The same in bodies of loops, which are looked at as if they came back."""
    lines = list(islice(_straight(), size - size // 20))
    bodies: list[str] = []
    for start in range(0, len(lines), 16):
        inside = [line.replace("%root", f"%e{start}") for line in lines[start : start + 16]]
        bodies += [f"transform.foreach %root : {ANY} {{", f"^bb0(%e{start}: {ANY}):", *inside, "}"]
    return _module(_sequence("__transform_main", bodies))


def _calling(size: int) -> str:
    """Sequences of twenty operations, each called by the next one."""
    sequences = []
    for number in range(max(size // 20, 1)):
        calls = [f"transform.include @s{number - 1} failures(propagate) (%root) : ({ANY}) -> ()"] if number else []
        sequences.append(_sequence(f"s{number}", [*calls, *islice(_straight(), 18)]))
    return _module(*sequences)


def _sequence(name: str, lines: list[str]) -> str:
    body = "".join(f"    {line}\n" for line in [*lines, "transform.yield"])
    return f"  transform.named_sequence @{name}(%root: {ANY} {{transform.readonly}}) {{\n{body}  }}\n"


def _module(*sequences: str) -> str:
    return f"module attributes {{transform.with_named_sequence}} {{\n{''.join(sequences)}}}\n"


SHAPES = (
    Shape("one sequence", _in_one(_straight)),
    Shape("all handles live", _in_one(_living)),
    Shape("a chain of tilings", _in_one(_chained)),
    Shape("loops over handles", _looped),
    Shape("sequences that call", _calling),
)
