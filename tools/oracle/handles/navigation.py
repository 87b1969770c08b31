"""Forms that look for operations: matches, and steps from operation to operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.handles.forms import Form, Maker, first, is_all, is_structured, only, operand_of, result_types, signature
from oracle.handles.machine import OPERATION, DoesNotApplyError, Handle, Results, Statement

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
"""Weights with which the generator chooses a dialect whose operations it matches."""
_SCOPES = ("func.func", "scf.for", "scf.forall", "scf.if", "builtin.module")


# Matches


def _is_scope(handle: Handle) -> bool:
    return len(handle.nodes) == 1 and handle.nodes[0].name in _SCOPES


def _nested(scope: Handle, accepts: Callable[[Node], bool]) -> list[Node]:
    """Return the operations that a match finds: each operation itself and those nested in it."""
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
    return _matching(maker, scope, f"ops{{{{[{spelled}]}}}}", lambda node: node.name in names, type_)


def _match_interface(maker: Maker) -> Statement | None:
    name = maker.random.choice(sorted(_INTERFACES))
    return _matching(maker, maker.pick(_is_scope), f"interface{{{{{name}}}}}", _INTERFACES[name])


def _match_attribute(maker: Maker) -> Statement | None:
    scope = maker.pick(_is_scope)
    marks = sorted({mark for root in scope.nodes for node in root.walk() for mark in node.marks}) if scope else []
    if not marks:
        return None
    mark = maker.random.choice(marks)
    return _matching(maker, scope, f"attributes{{{{{mark}}}}}", lambda node: mark in node.marks)


def _match_type(maker: Maker) -> Statement | None:
    """Match by the type of the result, and now and then by a name too."""
    scope = maker.pick(_is_scope)
    types = sorted({node.type for root in scope.nodes for node in root.walk() if node.type}) if scope else []
    if not types or scope is None:
        return None
    type_ = maker.random.choice(types)
    typed = sorted({node.name for node in _nested(scope, lambda node: node.type == type_)})
    name = maker.random.choice((None, *typed))
    ops = f'ops{{{{["{name}"]}}}} ' if name is not None else ""

    def accepts(node: Node) -> bool:
        return node.type == type_ and name in (None, node.name)

    return _matching(maker, scope, f"{ops}filter_result_type = {type_}", accepts)


def _matching(
    maker: Maker, scope: Handle | None, conditions: str, accepts: Callable[[Node], bool], type_: str = OPERATION
) -> Statement | None:
    """Write a match that finds something; None where it would find nothing."""
    if scope is None or not _nested(scope, accepts):
        return None
    text = f"transform.structured.match {conditions} in {{0}} : {signature([scope], [type_])}"
    results, types = result_types(maker, 1, type_)
    return Statement(text, [scope.name], (), results, types, lambda operands: [_nested(operands[0], accepts)])


# Steps


def _parent(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, lambda node: node.parent is not None))
    if target is None:
        return None
    spelled, accepts = _wanted_parent(maker, target)
    steps = maker.random.choice((1, 1, 1, 1, 2, 3))
    may_be_empty = maker.random.random() < 0.15
    if not may_be_empty and not all(len(_accepted(node, accepts)) >= steps for node in target.nodes):
        return None
    deduplicates = maker.random.random() < (0.85 if len(target.nodes) > 1 else 0.2)
    count = f"nth_parent = {steps}" if steps > 1 else ""
    others = [*(("deduplicate",) if deduplicates else ()), *(("allow_empty_results",) if may_be_empty else ())]
    attributes = ", ".join(filter(None, (*spelled, count, *others)))
    shown = f" {{{{{attributes}}}}}" if attributes else ""

    def effect(operands: list[Handle]) -> Results:
        found = [_accepted(node, accepts)[steps - 1 : steps] for node in operands[0].nodes]
        if not all(found):
            return [[]] if may_be_empty else _does_not_apply()
        nodes = [first(each) for each in found]
        return [list(dict.fromkeys(nodes)) if deduplicates else nodes]

    text = f"transform.get_parent_op {{0}}{shown} : {signature([target], [OPERATION])}"
    return Statement(text, [target.name], (), *result_types(maker, 1), effect)


def _wanted_parent(maker: Maker, target: Handle) -> tuple[list[str], Callable[[Node], bool]]:
    """Return conditions for a parent as they are spelled, and a test of them."""
    names = sorted({each.name for node in target.nodes for each in _accepted(node, lambda _: True)})
    name = maker.random.choice(names) if maker.random.random() < 0.5 else None
    is_isolated = maker.random.random() < 0.15

    def accepts(node: Node) -> bool:
        return name in (None, node.name) and (not is_isolated or node.name in ("func.func", "builtin.module"))

    spelled = [f'op_name = "{name}"'] if name is not None else []
    return [*spelled, *(("isolated_from_above",) if is_isolated else ())], accepts


def _accepted(node: Node, accepts: Callable[[Node], bool]) -> list[Node]:
    return [each for each in node.ancestry() if each is not node and accepts(each)]


def _does_not_apply() -> Results:
    raise DoesNotApplyError


def _producer(maker: Maker) -> Statement | None:
    number = maker.random.randrange(3)
    target = maker.pick(lambda handle: is_all(handle, lambda node: operand_of(node, number) is not None))
    if target is None:
        return None

    def effect(operands: list[Handle]) -> Results:
        return [[_operation(operand_of(node, number)) for node in operands[0].nodes]]

    text = f"transform.get_producer_of_operand {{0}}[{number}] : {signature([target], [OPERATION])}"
    return Statement(text, [target.name], (), *result_types(maker, 1), effect)


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


NAVIGATION = (
    Form(_match, 4.0),
    Form(_match_interface, 1.0),
    Form(_match_attribute, 1.0),
    Form(_match_type, 0.5),
    Form(_parent, 2.5),
    Form(_producer, 1.5),
    Form(_consumers, 1.0),
)
"""Forms that find operations and change nothing."""
