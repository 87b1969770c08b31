"""Forms that consume a handle and change its payload operations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle.handles import rewrites
from oracle.handles.forms import (
    Change,
    Form,
    Maker,
    Wants,
    first,
    is_all,
    is_structured,
    of_nodes,
    only,
    result_types,
    signature,
)
from oracle.handles.machine import OPERATION, PARAMETER, DoesNotApplyError, Handle, Results, Statement
from oracle.handles.payload import Node

if TYPE_CHECKING:
    from collections.abc import Callable

_TILES = (2, 4, 5)
_BY_PARAMETER = 0.15
_LOOP = '!transform.op<"scf.for">'


def is_tileable(node: Node) -> bool:
    """Whether `node` is a structured operation that is worth tiling."""
    return is_structured(node) and node.size > 1 and node.rank > 0


def is_loop(node: Node) -> bool:
    """Whether `node` is a loop over numbers."""
    return node.name == "scf.for" and bool(node.children)


def is_function(node: Node) -> bool:
    """Whether `node` is a function."""
    return node.name == "func.func"


@dataclass(frozen=True, slots=True)
class Rewrite:
    """An operation that consumes one handle: its spelling behind the operand, its condition, its change of the payload.

    Without `results` it is written with its operand's type only.
    """

    name: str
    wants: Wants
    change: Change
    results: int = 1
    attributes: str = ""
    only_one: bool = False
    types: tuple[str, ...] = ()
    takes: str = ""
    """The only type of handle that it takes, if that is so."""

    def make(self, maker: Maker) -> Statement | None:
        """Write it for some handle."""
        return self.write(maker, maker.pick(self.accepts))

    def accepts(self, handle: Handle) -> bool:
        """Whether it can be applied to the payload of `handle`."""
        is_taken = handle.type == self.takes or not self.takes
        return is_taken and is_all(handle, self.wants) and not (self.only_one and len(handle.nodes) > 1)

    def write(self, maker: Maker, target: Handle | None) -> Statement | None:
        """Write it for `target`."""
        if target is None:
            return None
        results, types = result_types(maker, self.results)
        types = list(self.types) or types
        shown = signature([target], types) if self.results else target.type
        space = " " if self.attributes else ""
        text = f"transform.{self.name} {{0}}{space}{self.attributes} : {shown}"
        effect = of_nodes(self.change, self.results, self.wants)
        return Statement(text, [target.name], (0,), results, types, effect)


def _tile_for(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, is_tileable))
    if target is None:
        return None
    rank = min((node.rank for node in target.nodes), default=1)
    count = maker.random.randrange(1, rank + 1)
    size = maker.random.choice(_TILES)
    sizes = [size] * count
    if count > 1 and maker.random.random() < 0.2:
        sizes[maker.random.randrange(count)] = 0
    loops = sum(map(bool, sizes))

    def change(node: Node) -> list[Node]:
        inner, nest = rewrites.tiled(node, loops, size)
        return [inner, *nest]

    def wants(node: Node) -> bool:
        return is_tileable(node) and node.rank >= count

    is_by_parameter = len(target.nodes) == 1 and maker.random.random() < _BY_PARAMETER
    parameter = maker.pick(lambda _: True, PARAMETER) if is_by_parameter else None
    if parameter is None:
        attributes = f"tile_sizes {sizes}"
        return Rewrite("structured.tile_using_for", wants, change, loops + 1, attributes).write(maker, target)
    results, types = result_types(maker, loops + 1)
    shown = ", ".join(map(str, [*sizes[:-1], "{1}"])) if sizes[-1] else ", ".join(["{1}", *map(str, sizes[1:])])
    text = f"transform.structured.tile_using_for {{0}} tile_sizes [{shown}] : {signature([target, parameter], types)}"
    names = [target.name, parameter.name]
    return Statement(text, names, (0,), results, types, of_nodes(change, loops + 1, wants))


def _tile_forall(maker: Maker) -> Statement | None:
    word = maker.random.choice(("tile_sizes", "num_threads"))
    sizes = [maker.random.choice((2, 4)) for _ in range(maker.random.choice((1, 2)))]

    def change(node: Node) -> list[Node]:
        inner, nest = rewrites.tiled(node, 1, 4, "scf.forall")
        return [inner, *nest]

    return Rewrite("structured.tile_using_forall", is_tileable, change, 2, f"{word} {sizes}").make(maker)


def _fuse(maker: Maker) -> Statement | None:
    size = maker.random.choice((2, 4))

    def wants(node: Node) -> bool:
        return is_tileable(node) and node.on_tensors and node.rank == 2

    def change(node: Node) -> list[Node]:
        inner, nest = rewrites.tiled(node, 2, size)
        return [inner, *nest]

    return Rewrite("structured.fuse", wants, change, 3, f"tile_sizes [{size}, {size}]", only_one=True).make(maker)


def _split(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: len(handle.nodes) == 1 and is_all(handle, _is_large))
    if target is None:
        return None

    def effect(operands: list[Handle]) -> Results:
        node = only(operands[0])
        if not _is_large(node):
            raise DoesNotApplyError
        part = rewrites.renewed(node)
        return [[part, rewrites.copied(part, part.parent)]]

    text = f"transform.structured.split {{0}} after 4 {{{{dimension = 0}}}} : {target.type}"
    return Statement(text, [target.name], (0,), [maker.new_name()], [target.type], effect)


def _is_large(node: Node) -> bool:
    return is_tileable(node) and node.size > 5


def _coalesced(node: Node) -> list[Node]:
    inner = node
    while len(inner.children) == 1 and is_loop(inner.children[0]):
        inner = inner.children[0]
    (nested,) = node.children
    rewrites.adopt(node, inner)
    rewrites.erase(nested)
    return [node]


def _is_nest(node: Node) -> bool:
    return is_loop(node) and not node.operands[3:] and len(node.children) == 1 and is_loop(node.children[0])


def _outline(maker: Maker) -> Statement | None:
    def change(node: Node) -> list[Node]:
        function = Node("func.func", node.root, results=0)
        call = rewrites.renewed(node, "func.call")
        rewrites.adopt(rewrites.copied(node, function), call)
        return [function, call]

    name = f'{{{{func_name = "outlined_{maker.new_name()[1:]}"}}}}'
    return Rewrite("loop.outline", is_loop, change, 2, name, only_one=True).make(maker)


def _to_loops(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, _is_on_buffers))
    if target is None:
        return None

    def change(node: Node) -> list[Node]:
        inner, nest = rewrites.tiled(node, node.rank, 1)
        rewrites.erase(inner)
        return nest

    def effect(operands: list[Handle]) -> Results:
        if not is_all(operands[0], _is_on_buffers):
            raise DoesNotApplyError
        return [[loop for node in list(operands[0].nodes) for loop in change(node)]]

    text = f"transform.structured.convert_to_loops {{0}} : {signature([target], [OPERATION])}"
    return Statement(text, [target.name], (0,), *result_types(maker, 1), effect)


def _is_on_buffers(node: Node) -> bool:
    return is_tileable(node) and not node.on_tensors


def _fuse_into(maker: Maker) -> Statement | None:
    containing = maker.pick(lambda handle: len(handle.nodes) == 1 and handle.nodes[0].name in ("scf.for", "scf.forall"))
    if containing is None:
        return None

    def feeds(node: Node) -> bool:
        loop = containing.nodes[0]
        inside = [user for user in loop.walk() if node in user.operands and user is not loop]
        return is_tileable(node) and node.on_tensors and bool(inside) and not node.is_in(loop)

    producer = maker.pick(lambda handle: len(handle.nodes) == 1 and feeds(handle.nodes[0]))
    if producer is None:
        return None

    def effect(operands: list[Handle]) -> Results:
        old, loop = only(operands[0]), only(operands[1])
        user = first(user for user in loop.walk() if old in user.operands and user is not loop)
        fused = rewrites.renewed(user, old.name)
        fused.operands, fused.rank, fused.size = list(old.operands), old.rank, 4
        if not old.consumers():
            rewrites.erase(old)
        return [[fused], [loop]]

    results, types = result_types(maker, 2)
    names = [producer.name, containing.name]
    text = f"transform.structured.fuse_into_containing_op {{0}} into {{1}} : {signature([producer, containing], types)}"
    return Statement(text, names, (0,), results, types, effect)


def _fuse_sibling(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: len(handle.nodes) == 1 and is_all(handle, is_loop))
    if target is None:
        return None

    def is_sibling(node: Node) -> bool:
        loop = target.nodes[0]
        return is_loop(node) and node.parent is loop.parent and node is not loop and node.size == loop.size

    source = maker.pick(lambda handle: len(handle.nodes) == 1 and is_sibling(handle.nodes[0]))
    if source is None:
        return None

    def effect(operands: list[Handle]) -> Results:
        fused = rewrites.renewed(only(operands[1]))
        old = only(operands[0])
        rewrites.adopt(fused, old)
        rewrites.erase(old)
        return [[fused]]

    results, types = result_types(maker, 1)
    text = f"transform.loop.fuse_sibling {{0}} into {{1}} : {signature([target, source], types)}"
    return Statement(text, [target.name, source.name], (0, 1), results, types, effect)


def _renewed(name: str = "") -> Callable[[Node], list[Node]]:
    return lambda node: [rewrites.renewed(node, name)]


def _vectorized(node: Node) -> list[Node]:
    rewrites.renewed(node, "vector.transfer_write")
    return []


def _unrolled(node: Node) -> list[Node]:
    rewrites.unroll(node, 2)
    return []


def _peeled(node: Node) -> list[Node]:
    remainder = rewrites.copied(node, node.parent)
    return [node, remainder]


def _split_reduction(node: Node) -> list[Node]:
    combined = rewrites.renewed(node, "linalg.generic")
    combined.size, combined.rank = node.size, 2
    parts = [Node("tensor.empty", node.parent), Node("linalg.fill", node.parent, [None, None])]
    split = rewrites.copied(combined, node.parent)
    split.size = 2
    return [*parts, split, combined]


def _is_named(node: Node) -> bool:
    return is_structured(node) and node.name != "linalg.generic"


def _is_forall(node: Node) -> bool:
    return node.name == "scf.forall"


def _is_matmul(node: Node) -> bool:
    return node.name == "linalg.matmul" and node.on_tensors and node.size > 1


_REWRITES = (
    (Rewrite("structured.generalize", _is_named, _renewed("linalg.generic")), 1.5),
    (
        Rewrite(
            "structured.interchange",
            lambda node: node.name == "linalg.generic" and node.rank == 2,
            lambda node: [node],
            attributes="iterator_interchange = [1, 0]",
        ),
        0.7,
    ),
    (Rewrite("structured.transpose_matmul", _is_matmul, _renewed()), 0.4),
    (
        Rewrite(
            "structured.split_reduction",
            _is_matmul,
            _split_reduction,
            4,
            "{{split_factor = 4, insert_split_dimension = 0}}",
            only_one=True,
        ),
        0.6,
    ),
    (
        Rewrite(
            "structured.pack",
            _is_matmul,
            _renewed("linalg.generic"),
            1,
            "packed_sizes = [2, 2, 2]",
            only_one=True,
            types=('!transform.op<"linalg.generic">',),
        ),
        0.3,
    ),
    (Rewrite("structured.vectorize", lambda node: is_tileable(node) and node.size in (2, 4), _vectorized, 0), 0.5),
    (Rewrite("loop.unroll", lambda node: is_loop(node) and node.size > 1, _unrolled, 0, "{{factor = 2}}"), 1.5),
    (Rewrite("loop.peel", is_loop, _peeled, 2, "{{peel_front = true}}", takes=_LOOP), 0.7),
    (Rewrite("loop.coalesce", _is_nest, _coalesced), 0.5),
    (Rewrite("loop.forall_to_for", _is_forall, _renewed("scf.for"), only_one=True), 0.3),
    (Rewrite("loop.forall_to_parallel", _is_forall, _renewed("scf.parallel"), only_one=True), 0.3),
    (Rewrite("loop.promote_if_one_iteration", is_loop, lambda _: (), 0), 0.3),
)


CONSUMING = (
    Form(_tile_for, 3.0),
    Form(_tile_forall, 1.5),
    Form(_fuse, 0.6),
    Form(_split, 0.5),
    Form(_outline, 0.7),
    Form(_to_loops, 1.0),
    Form(_fuse_into, 4.0),
    Form(_fuse_sibling, 0.5),
    *(Form(rewrite.make, weight) for rewrite, weight in _REWRITES),
)
"""Forms that consume a handle, apart from those that run passes."""
