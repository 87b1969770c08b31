"""Forms that change the payload; most of them consume a handle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.handles import rewrites
from oracle.handles.forms import (
    Form,
    Maker,
    is_all,
    is_structured,
    of_nodes,
    result_types,
    signature,
)
from oracle.handles.machine import OPERATION, Handle, Results, Statement

if TYPE_CHECKING:
    from oracle.handles.payload import Node

_TILES = (2, 4, 5)


def _is_tileable(node: Node) -> bool:
    return is_structured(node) and node.size > 1 and node.rank > 0


def _is_on_tensors(node: Node) -> bool:
    return _is_tileable(node) and node.on_tensors


def _is_loop(node: Node) -> bool:
    return node.name == "scf.for" and bool(node.children)


def _tile_for(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, _is_tileable))
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

    results, types = result_types(maker, loops + 1)
    text = f"transform.structured.tile_using_for {{0}} tile_sizes {sizes} : {signature([target], types)}"
    return Statement(text, [target.name], (0,), results, types, of_nodes(change, loops + 1))


def _tile_forall(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, _is_tileable))
    if target is None:
        return None
    word = maker.random.choice(("tile_sizes", "num_threads"))
    sizes = [maker.random.choice((2, 4)) for _ in range(maker.random.choice((1, 2)))]

    def change(node: Node) -> list[Node]:
        inner, nest = rewrites.tiled(node, 1, 4, "scf.forall")
        return [inner, *nest]

    results, types = result_types(maker, 2)
    text = f"transform.structured.tile_using_forall {{0}} {word} {sizes} : {signature([target], types)}"
    return Statement(text, [target.name], (0,), results, types, of_nodes(change, 2))


def _generalize(maker: Maker) -> Statement | None:
    target = maker.pick(
        lambda handle: is_all(handle, lambda node: is_structured(node) and node.name != "linalg.generic")
    )
    if target is None:
        return None
    text = f"transform.structured.generalize {{0}} : {signature([target], [OPERATION])}"
    effect = of_nodes(lambda node: [rewrites.renewed(node, "linalg.generic")], 1)
    return Statement(text, [target.name], (0,), *result_types(maker, 1), effect)


def _interchange(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, lambda node: node.name == "linalg.generic" and node.rank == 2))
    if target is None:
        return None
    text = f"transform.structured.interchange {{0}} iterator_interchange = [1, 0] : {signature([target], [OPERATION])}"
    return Statement(text, [target.name], (0,), *result_types(maker, 1), of_nodes(lambda node: [node], 1))


def _unroll(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, lambda node: _is_loop(node) and node.size > 1))
    if target is None:
        return None
    text = f"transform.loop.unroll {{0}} {{{{factor = 2}}}} : {target.type}"
    return Statement(text, [target.name], (0,), effect=of_nodes(lambda node: [rewrites.unroll(node, 2)], 0))


def _coalesce(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, lambda node: _is_loop(node) and not node.operands[3:]))
    if target is None:
        return None
    text = f"transform.loop.coalesce {{0}} : {signature([target], [OPERATION])}"

    def change(node: Node) -> list[Node]:
        inner = node
        while len(inner.children) == 1 and _is_loop(inner.children[0]):
            inner = inner.children[0]
        if inner is not node:
            for child in list(node.children):
                rewrites.erase(child)
            for child in list(inner.children):
                child.parent = node
                node.children.append(child)
        return [node]

    return Statement(text, [target.name], (0,), *result_types(maker, 1), of_nodes(change, 1))


def _outline(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: len(handle.nodes) == 1 and _is_loop(handle.nodes[0]))
    if target is None:
        return None
    name = f"outlined_{maker.new_name()[1:]}"
    results, types = result_types(maker, 2)
    text = f'transform.loop.outline {{0}} {{{{func_name = "{name}"}}}} : {signature([target], types)}'

    def change(node: Node) -> list[Node]:
        call = rewrites.renewed(node, "func.call")
        function = type(node)("func.func", node.root, results=0)
        for child in list(call.children):
            call.children.remove(child)
        node.parent = function
        function.children.append(node)
        return [function, call]

    return Statement(text, [target.name], (0,), results, types, of_nodes(change, 2))


def _to_loops(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, lambda node: _is_tileable(node) and not node.on_tensors))
    if target is None or len({node.rank for node in target.nodes}) > 1:
        return None

    def change(node: Node) -> list[Node]:
        inner, nest = rewrites.tiled(node, node.rank, 1)
        rewrites.erase(inner)
        return nest

    def effect(operands: list[Handle]) -> Results:
        return [[loop for node in list(operands[0].nodes) for loop in change(node)]]

    text = f"transform.structured.convert_to_loops {{0}} : {signature([target], [OPERATION])}"
    return Statement(text, [target.name], (0,), *result_types(maker, 1), effect)


def _fuse_into(maker: Maker) -> Statement | None:
    containing = maker.pick(lambda handle: len(handle.nodes) == 1 and handle.nodes[0].name in ("scf.for", "scf.forall"))
    if containing is None:
        return None

    def feeds(node: Node) -> bool:
        loop = containing.nodes[0]
        inside = [user for user in loop.walk() if node in user.operands and user is not loop]
        return _is_on_tensors(node) and bool(inside) and not node.is_in(loop)

    producer = maker.pick(lambda handle: len(handle.nodes) == 1 and feeds(handle.nodes[0]))
    if producer is None:
        return None

    def effect(operands: list[Handle]) -> Results:
        old, loop = operands[0].nodes[0], operands[1].nodes[0]
        user = next(user for user in loop.walk() if old in user.operands and user is not loop)
        fused = rewrites.renewed(user, old.name)
        fused.operands, fused.rank, fused.size = list(old.operands), old.rank, 4
        if not old.consumers():
            rewrites.erase(old)
        return [[fused], [loop]]

    results, types = result_types(maker, 2)
    names = [producer.name, containing.name]
    text = f"transform.structured.fuse_into_containing_op {{0}} into {{1}} : {signature([producer, containing], types)}"
    return Statement(text, names, (0,), results, types, effect)


def _vectorize(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, _is_tileable))
    if target is None:
        return None

    def change(node: Node) -> list[Node]:
        rewrites.renewed(node, "vector.transfer_write")
        return []

    return Statement(
        f"transform.structured.vectorize {{0}} : {target.type}", [target.name], (0,), effect=of_nodes(change, 0)
    )


# Those that only read their handle


def _patterns(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, lambda node: node.name in ("func.func", "scf.for")))
    if target is None:
        return None
    pattern = maker.random.choice(
        ("canonicalization", "linalg.tiling_canonicalization", "tensor.fold_tensor_subset_ops_into_vector_transfers")
    )
    text = f"transform.apply_patterns to {{0}} {{{{\n  transform.apply_patterns.{pattern}\n}}}} : {target.type}"
    return Statement(text, [target.name])


def _cse(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, lambda node: node.name == "func.func"))
    word = maker.random.choice(("cse", "dce"))
    return Statement(f"transform.apply_{word} to {{0}} : {target.type}", [target.name]) if target is not None else None


def _licm(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, _is_loop))
    return Statement(f"transform.apply_licm to {{0}} : {target.type}", [target.name]) if target is not None else None


def _pass(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, lambda node: node.name == "func.func"))
    if target is None:
        return None
    name = maker.random.choice(("canonicalize", "cse", "loop-invariant-code-motion"))
    text = f'transform.apply_registered_pass "{name}" to {{0}} : {signature([target], [OPERATION])}'
    effect = of_nodes(lambda node: [node], 1)
    return Statement(text, [target.name], (0,), *result_types(maker, 1), effect)


CONSUMING = (
    Form(_tile_for, 3.0),
    Form(_tile_forall, 1.5),
    Form(_generalize, 1.5),
    Form(_interchange, 0.7),
    Form(_unroll, 1.5),
    Form(_coalesce, 0.5),
    Form(_outline, 0.7),
    Form(_to_loops, 1.0),
    Form(_fuse_into, 1.5),
    Form(_pass, 1.0),
)
"""Forms that consume a handle."""

CHANGING = (Form(_patterns, 0.3), Form(_cse, 0.3), Form(_licm, 0.5))
"""Forms that change the payload below a handle that remains."""
