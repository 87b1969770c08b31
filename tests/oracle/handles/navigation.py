"""Forms that only look: matches, steps from operation to operation, and handles made of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.handles.forms import (
    Form,
    Maker,
    anything,
    first,
    is_all,
    is_structured,
    only,
    result_types,
    signature,
)
from oracle.handles.machine import OPERATION, PARAMETER, VALUE, DoesNotApplyError, Handle, Item, Results, Statement

if TYPE_CHECKING:
    from collections.abc import Callable

    from oracle.handles.payload import Node

_INTERFACES: dict[str, Callable[[Node], bool]] = {
    "LinalgOp": is_structured,
    "LoopLikeInterface": lambda node: node.name in ("scf.for", "scf.forall"),
    "TilingInterface": is_structured,
}
_MATCHED = (
    "linalg.matmul",
    "linalg.fill",
    "linalg.generic",
    "linalg.exp",
    "linalg.add",
    "linalg.mul",
    "scf.for",
    "scf.forall",
    "scf.if",
    "memref.load",
    "memref.store",
    "arith.addf",
    "arith.mulf",
    "func.func",
    "tensor.empty",
)
_WEIGHTS = {"linalg": 6, "scf": 5, "func": 3}
"""How often operations of a dialect are matched, compared with others."""
_SCOPES = ("func.func", "scf.for", "scf.forall", "scf.if", "builtin.module")


def _is_scope(handle: Handle) -> bool:
    return len(handle.nodes) == 1 and handle.nodes[0].name in _SCOPES


def _nested(scope: Handle, accepts: Callable[[Node], bool]) -> list[Node]:
    """Return what a match finds: in each operation and it itself."""
    return [node for root in scope.nodes for node in root.walk() if accepts(node)]


def _match(maker: Maker) -> Statement | None:
    scope = maker.pick(_is_scope)
    if scope is None:
        return None
    present = sorted({node.name for root in scope.nodes for node in root.walk()} & set(_MATCHED))
    if not present:
        return None
    weights = [_WEIGHTS.get(name.partition(".")[0], 1) for name in present]
    names = sorted(set(maker.random.choices(present, weights, k=maker.random.choice((1, 1, 1, 1, 1, 2)))))
    spelled = ", ".join(f'"{name}"' for name in names)
    share = 0.4 if names in (["scf.for"], ["scf.if"]) else 0.1
    type_ = f'!transform.op<"{names[0]}">' if len(names) == 1 and maker.random.random() < share else OPERATION
    text = f"transform.structured.match ops{{{{[{spelled}]}}}} in {{0}} : {signature([scope], [type_])}"
    return Statement(
        text,
        [scope.name],
        results=[maker.new_name()],
        types=[type_],
        effect=lambda operands: [_nested(operands[0], lambda node: node.name in names)],
    )


def _match_interface(maker: Maker) -> Statement | None:
    scope = maker.pick(_is_scope)
    if scope is None:
        return None
    name = maker.random.choice(sorted(_INTERFACES))
    accepts = _INTERFACES[name]
    if not _nested(scope, accepts):
        return None
    text = f"transform.structured.match interface{{{{{name}}}}} in {{0}} : {signature([scope], [OPERATION])}"
    results, types = result_types(maker, 1)
    return Statement(text, [scope.name], (), results, types, lambda operands: [_nested(operands[0], accepts)])


def _parent(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, lambda node: node.parent is not None))
    if target is None:
        return None
    ways: list[tuple[str, Callable[[Node], bool]]] = [
        ("", lambda _: True),
        ('op_name = "scf.for"', lambda node: node.name == "scf.for"),
        ('op_name = "func.func"', lambda node: node.name == "func.func"),
        ("nth_parent = 2", lambda _: True),
        ("isolated_from_above", lambda node: node.name in ("func.func", "builtin.module")),
    ]
    spelled, accepts = maker.random.choice(ways)
    skipped = 1 if "nth" in spelled else 0
    if not all(len(_accepted(node, accepts)) > skipped for node in target.nodes):
        return None
    deduplicates = maker.random.random() < (0.9 if len(target.nodes) > 1 else 0.2)
    attributes = ", ".join(filter(None, (spelled, "deduplicate" if deduplicates else "")))
    shown = f" {{{{{attributes}}}}}" if attributes else ""

    def effect(operands: list[Handle]) -> Results:
        found = [first(_accepted(node, accepts)[skipped:]) for node in operands[0].nodes]
        return [_distinct(found) if deduplicates else found]

    text = f"transform.get_parent_op {{0}}{shown} : {signature([target], [OPERATION])}"
    return Statement(text, [target.name], (), *result_types(maker, 1), effect)


def _accepted(node: Node, accepts: Callable[[Node], bool]) -> list[Node]:
    return [each for each in node.ancestry() if each is not node and accepts(each)]


def _distinct(nodes: list[Node]) -> list[Node]:
    return list(dict.fromkeys(nodes))


def _producer(maker: Maker) -> Statement | None:
    number = maker.random.randrange(3)
    target = maker.pick(lambda handle: is_all(handle, lambda node: _operand(node, number) is not None))
    if target is None:
        return None

    def effect(operands: list[Handle]) -> Results:
        return [[_operation(_operand(node, number)) for node in operands[0].nodes]]

    text = f"transform.get_producer_of_operand {{0}}[{number}] : {signature([target], [OPERATION])}"
    return Statement(text, [target.name], (), *result_types(maker, 1), effect)


def _operand(node: Node, number: int) -> Node | None:
    return node.operands[number] if number < len(node.operands) else None


def _operation(node: Node | None) -> Node:
    if node is None:
        raise DoesNotApplyError
    return node


def _consumers(maker: Maker) -> Statement | None:
    target = maker.pick(
        lambda handle: len(handle.nodes) == 1 and handle.nodes[0].results > 0 and bool(handle.nodes[0].consumers())
    )
    if target is None:
        return None
    text = f"transform.get_consumers_of_result {{0}}[0] : {signature([target], [OPERATION])}"
    return Statement(text, [target.name], (), *result_types(maker, 1), lambda operands: [only(operands[0]).consumers()])


def _result_value(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, lambda node: node.results > 0 and node.name != "func.func"))
    if target is None:
        return None
    position = maker.random.choice(("0", "0", "all"))
    text = f"transform.get_result {{0}}[{position}] : {signature([target], [VALUE])}"
    return Statement(
        text,
        [target.name],
        (),
        *result_types(maker, 1, VALUE),
        lambda operands: [[Item(node, 0) for node in operands[0].nodes]],
    )


def _operand_value(maker: Maker) -> Statement | None:
    number = maker.random.randrange(3)
    target = maker.pick(lambda handle: is_all(handle, lambda node: _operand(node, number) is not None))
    if target is None:
        return None

    def effect(operands: list[Handle]) -> Results:
        return [[Item(_operation(_operand(node, number)), 0) for node in operands[0].nodes]]

    text = f"transform.get_operand {{0}}[{number}] : {signature([target], [VALUE])}"
    return Statement(text, [target.name], (), *result_types(maker, 1, VALUE), effect)


def _defining(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: bool(handle.items), VALUE)
    if target is None:
        return None
    text = f"transform.get_defining_op {{0}} : {signature([target], [OPERATION])}"
    return Statement(
        text,
        [target.name],
        (),
        *result_types(maker, 1),
        lambda operands: [[item.node for item in operands[0].items]],
    )


def _cast(maker: Maker) -> Statement | None:
    target = maker.pick(anything)
    if target is None:
        return None
    names = {node.name for node in target.nodes}
    to = f'!transform.op<"{names.pop()}">' if target.type == OPERATION and len(names) == 1 else OPERATION
    text = f"transform.cast {{0}} : {target.type} to {to}"
    return Statement(text, [target.name], (), [maker.new_name()], [to], lambda operands: [list(operands[0].nodes)])


def _split(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: 2 <= len(handle.nodes) <= 3)
    if target is None:
        return None
    count = len(target.nodes)
    results, types = result_types(maker, count)
    text = f"transform.split_handle {{0}} : {signature([target], types)}"
    return Statement(text, [target.name], (), results, types, lambda operands: _parts(operands[0], count))


def _parts(handle: Handle, count: int) -> Results:
    if len(handle.nodes) != count:
        raise DoesNotApplyError
    return [[node] for node in handle.nodes]


def _merge(maker: Maker) -> Statement | None:
    handles = [maker.pick(lambda handle: handle.type == OPERATION and anything(handle)) for _ in range(2)]
    first, second = handles
    if first is None or second is None:
        return None
    overlap = not set(first.nodes).isdisjoint(second.nodes)
    deduplicates = overlap and maker.random.random() < 0.8
    keyword = "deduplicate " if deduplicates else ""

    def effect(operands: list[Handle]) -> Results:
        merged = [node for handle in operands for node in handle.nodes]
        return [_distinct(merged) if deduplicates else merged]

    text = f"transform.merge_handles {keyword}{{0}}, {{1}} : {OPERATION}"
    names = [first.name, second.name]
    return Statement(text, names, (), *result_types(maker, 1), effect, allows_overlap=True)


def _select(maker: Maker) -> Statement | None:
    target = maker.pick(anything)
    if target is None:
        return None
    name = maker.random.choice(sorted({node.name for node in target.nodes}))
    text = f'transform.select "{name}" in {{0}} : {signature([target], [OPERATION])}'
    return Statement(
        text,
        [target.name],
        (),
        *result_types(maker, 1),
        lambda operands: [[node for node in operands[0].nodes if node.name == name]],
    )


def _replicate(maker: Maker) -> Statement | None:
    pattern, target = maker.pick(anything), maker.pick(lambda handle: len(handle.nodes) == 1)
    if pattern is None or target is None:
        return None
    text = f"transform.replicate num({{0}}) {{1}} : {pattern.type}, {target.type}"

    def effect(operands: list[Handle]) -> Results:
        return [list(operands[1].nodes) * len(operands[0].nodes)]

    names = [pattern.name, target.name]
    return Statement(text, names, (), [maker.new_name()], [target.type], effect, allows_overlap=True)


# Readers


def _annotate(maker: Maker) -> Statement | None:
    target = maker.pick(anything)
    return (
        Statement(f'transform.annotate {{0}} "test.seen" : {target.type}', [target.name])
        if target is not None
        else None
    )


def _count(maker: Maker) -> Statement | None:
    target = maker.pick(anything)
    if target is None:
        return None
    text = f"transform.num_associations {{0}} : {signature([target], [PARAMETER])}"
    return Statement(text, [target.name], (), [maker.new_name()], [PARAMETER])


def _constant(maker: Maker) -> Statement | None:
    text = f"transform.param.constant {maker.random.choice((2, 4))} : i64 -> {PARAMETER}"
    return Statement(text, [], (), [maker.new_name()], [PARAMETER])


def _parameter_remark(maker: Maker) -> Statement | None:
    target = maker.pick(lambda _: True, PARAMETER)
    if target is None:
        return None
    return Statement(f"transform.debug.emit_param_as_remark {{0}} : {PARAMETER}", [target.name])


def _remark(maker: Maker) -> Statement | None:
    kind = maker.random.choice((OPERATION, OPERATION, VALUE))
    target = maker.pick(lambda handle: bool(handle.nodes or handle.items), kind)
    return (
        Statement(f'transform.debug.emit_remark_at {{0}}, "here" : {target.type}', [target.name])
        if target is not None
        else None
    )


NAVIGATION = (
    Form(_match, 4.0),
    Form(_match_interface, 1.0),
    Form(_parent, 2.5),
    Form(_producer, 1.5),
    Form(_consumers, 1.0),
    Form(_result_value, 0.8),
    Form(_operand_value, 0.8),
    Form(_defining, 1.0),
    Form(_cast, 1.0),
    Form(_split, 1.5),
    Form(_merge, 0.7),
    Form(_select, 0.5),
    Form(_replicate, 0.3),
    Form(_constant, 0.2),
)
"""Forms that make handles and change nothing."""

READERS = (Form(_annotate, 2.0), Form(_count, 0.6), Form(_remark, 1.0), Form(_parameter_remark, 0.3))
"""Forms that use a handle and change nothing."""
