"""Forms that use a handle and do not change its payload operations, but for attributes."""

from __future__ import annotations

from oracle.handles.forms import Form, Maker, anything, signature
from oracle.handles.machine import OPERATION, PARAMETER, VALUE, Handle, Results, Statement

_MARKS = ("test.seen", "test.done")


def _annotate(maker: Maker) -> Statement | None:
    target = maker.pick(anything)
    if target is None:
        return None
    mark = maker.random.choice(_MARKS)

    def effect(operands: list[Handle]) -> Results:
        for node in operands[0].nodes:
            node.marks = node.marks | {mark}
        return []

    return Statement(f'transform.annotate {{0}} "{mark}" : {target.type}', [target.name], effect=effect)


def _count(maker: Maker) -> Statement | None:
    target = maker.pick(anything)
    if target is None:
        return None
    text = f"transform.num_associations {{0}} : {signature([target], [PARAMETER])}"
    return Statement(text, [target.name], (), [maker.new_name()], [PARAMETER])


def _parameter_remark(maker: Maker) -> Statement | None:
    target = maker.pick(lambda _: True, PARAMETER)
    if target is None:
        return None
    return Statement(f"transform.debug.emit_param_as_remark {{0}} : {PARAMETER}", [target.name])


def _remark(maker: Maker) -> Statement | None:
    kind = maker.random.choice((OPERATION, OPERATION, VALUE))
    target = maker.pick(lambda handle: bool(handle.nodes or handle.items), kind)
    if target is None:
        return None
    return Statement(f'transform.debug.emit_remark_at {{0}}, "here" : {target.type}', [target.name])


READING = (Form(_annotate, 2.0), Form(_count, 0.6), Form(_remark, 1.0), Form(_parameter_remark, 0.3))
"""Forms that use a handle and change nothing."""
