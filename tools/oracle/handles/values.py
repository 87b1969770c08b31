"""Forms about handles to values: results, operands, arguments of blocks, and their defining operations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from oracle.handles.forms import Form, Maker, is_all, is_structured, operand_of, result_types, signature
from oracle.handles.machine import OPERATION, VALUE, DoesNotApplyError, Handle, Item, Results, Statement

if TYPE_CHECKING:
    from oracle.handles.payload import Node

_OPERANDS = re.compile(r"%\w+")
_ARGUMENT = re.compile(r"%a(\d+)")


def _result(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: is_all(handle, lambda node: node.results > 0 and node.name != "func.func"))
    if target is None:
        return None
    position = maker.random.choice(("0", "0", "all"))
    text = f"transform.get_result {{0}}[{position}] : {signature([target], [VALUE])}"

    def effect(operands: list[Handle]) -> Results:
        return [[Item(node, 0) for node in operands[0].nodes]]

    return Statement(text, [target.name], (), *result_types(maker, 1, VALUE), effect)


def _operand(maker: Maker) -> Statement | None:
    numbers = maker.random.choice(((0,), (0,), (1,), (2,), (0, 1)))
    target = maker.pick(lambda handle: is_all(handle, lambda node: all(_value(node, each) for each in numbers)))
    if target is None:
        return None
    position = ", ".join(map(str, numbers))

    def effect(operands: list[Handle]) -> Results:
        return [[_known(node, number) for node in operands[0].nodes for number in numbers]]

    text = f"transform.get_operand {{0}}[{position}] : {signature([target], [VALUE])}"
    return Statement(text, [target.name], (), *result_types(maker, 1, VALUE), effect)


def _known(node: Node, number: int) -> Item:
    value = _value(node, number)
    if value is None:
        raise DoesNotApplyError
    return value


def _value(node: Node, number: int) -> Item | None:
    """Return operand `number` of `node`: a result of another operation, or an argument of the function."""
    producer, function = operand_of(node, number), node.function()
    if producer is not None:
        return Item(producer, 0)
    shown = _OPERANDS.findall(node.text.partition("(")[2]) if is_structured(node) else []
    argument = _ARGUMENT.fullmatch(shown[number]) if number < len(shown) else None
    return Item(function, int(argument[1]), is_argument=True) if argument and function else None


def _defining(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: bool(handle.items) and not _has_arguments(handle), VALUE)
    if target is None:
        return None
    text = f"transform.get_defining_op {{0}} : {signature([target], [OPERATION])}"

    def effect(operands: list[Handle]) -> Results:
        if _has_arguments(operands[0]):
            raise DoesNotApplyError
        return [[item.node for item in operands[0].items]]

    return Statement(text, [target.name], (), *result_types(maker, 1), effect)


def _has_arguments(handle: Handle) -> bool:
    return any(item.is_argument for item in handle.items)


def _merge(maker: Maker) -> Statement | None:
    handles = [maker.pick(lambda handle: bool(handle.items), VALUE) for _ in range(2)]
    first, other = handles
    if first is None or other is None:
        return None
    text = f"transform.merge_handles deduplicate {{0}}, {{1}} : {VALUE}"

    def effect(operands: list[Handle]) -> Results:
        return [list(dict.fromkeys(item for handle in operands for item in handle.items))]

    return Statement(text, [first.name, other.name], (), *result_types(maker, 1, VALUE), effect, allows_overlap=True)


VALUES = (Form(_result, 1.0), Form(_operand, 1.2), Form(_defining, 1.2), Form(_merge, 0.2))
"""Forms that make handles to values, or take some."""
