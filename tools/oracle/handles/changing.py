"""Forms that change operations nested in those of a handle: patterns, passes; most of them only read the handle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.handles import rewrites
from oracle.handles.consuming import is_function, is_loop
from oracle.handles.forms import Form, Maker, is_all, of_nodes, result_types, signature
from oracle.handles.machine import OPERATION, Statement

if TYPE_CHECKING:
    from oracle.handles.payload import Node

_PATTERNS = (
    "canonicalization",
    "canonicalization",
    "linalg.tiling_canonicalization",
    "scf.for_loop_canonicalization",
    "linalg.fold_unit_extent_dims_via_slices",
    "tensor.merge_consecutive_insert_extract_slice",
    "memref.fold_memref_alias_ops",
)
_PASSES = ("canonicalize", "cse", "loop-invariant-code-motion", "linalg-generalize-named-ops", "scf-for-loop-peeling")
_BRANCH = '!transform.op<"scf.if">'


def _patterns(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, lambda node: node.name in ("func.func", "scf.for")))
    if target is None:
        return None
    patterns = sorted(set(maker.random.choices(_PATTERNS, k=maker.random.choice((1, 1, 2)))))
    lines = "\n".join(f"  transform.apply_patterns.{pattern}" for pattern in patterns)
    option = " {{apply_cse}}" if maker.random.random() < 0.2 else ""
    text = f"transform.apply_patterns to {{0}} {{{{\n{lines}\n}}}}{option} : {target.type}"
    return Statement(text, [target.name])


def _cse(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, is_function))
    if target is None:
        return None
    return Statement(f"transform.apply_{maker.random.choice(('cse', 'dce'))} to {{0}} : {target.type}", [target.name])


def _licm(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, is_loop))
    if target is None:
        return None
    word = maker.random.choice(("apply_licm to", "loop.hoist_loop_invariant_subsets"))
    return Statement(f"transform.{word} {{0}} : {target.type}", [target.name])


def _take_branch(maker: Maker) -> Statement | None:
    def wants(node: Node) -> bool:
        return node.name == "scf.if"

    target = maker.pick(lambda handle: handle.type == _BRANCH and is_all(handle, wants))
    if target is None:
        return None

    def change(node: Node) -> list[Node]:
        if node.parent is not None:
            rewrites.adopt(node.parent, node)
        rewrites.erase(node)
        return []

    text = f"transform.scf.take_assumed_branch {{0}} : ({target.type}) -> ()"
    return Statement(text, [target.name], (), effect=of_nodes(change, 0, wants))


def _pass(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, is_function))
    if target is None:
        return None
    name = maker.random.choice(_PASSES)
    text = f'transform.apply_registered_pass "{name}" to {{0}} : {signature([target], [OPERATION])}'
    effect = of_nodes(lambda node: [node], 1, is_function)
    return Statement(text, [target.name], (0,), *result_types(maker, 1), effect)


CHANGING = (Form(_patterns, 0.3), Form(_cse, 0.3), Form(_licm, 0.5), Form(_take_branch, 0.5))
"""Forms that change the payload below a handle that remains."""

PASSES = (Form(_pass, 1.0),)
"""Forms that run passes, which consume their handle."""
