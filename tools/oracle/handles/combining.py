"""Forms that make handles of others: parts, unions, other types, copies."""

from __future__ import annotations

from oracle.handles.forms import Form, Maker, anything, result_types, signature
from oracle.handles.machine import OPERATION, PARAMETER, DoesNotApplyError, Handle, Results, Statement


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


def _overflow(maker: Maker) -> Statement | None:
    """Split into two where all but one operation belong together, or one result stays empty."""
    target = maker.pick(lambda handle: handle.nodes != [] and len(handle.nodes) != 2)
    if target is None:
        return None
    results, types = result_types(maker, 2)
    is_short = len(target.nodes) < 2
    attribute = "fail_on_payload_too_small = false" if is_short else "overflow_result = 1"
    text = f"transform.split_handle {{0}} {{{{{attribute}}}}} : {signature([target], types)}"

    def effect(operands: list[Handle]) -> Results:
        if not operands[0].nodes or is_short is not len(operands[0].nodes) < 2:
            raise DoesNotApplyError
        return [operands[0].nodes[:1], operands[0].nodes[1:]]

    return Statement(text, [target.name], (), results, types, effect)


def _merge(maker: Maker) -> Statement | None:
    count = maker.random.choice((2, 2, 3))
    picked = [maker.pick(lambda handle: handle.type == OPERATION and anything(handle)) for _ in range(count)]
    handles = [handle for handle in picked if handle is not None]
    if len(handles) < 2:
        return None
    nodes = [node for handle in handles for node in handle.nodes]
    deduplicates = len(set(nodes)) < len(nodes) and maker.random.random() < 0.8
    keyword = "deduplicate " if deduplicates else ""

    def effect(operands: list[Handle]) -> Results:
        merged = [node for handle in operands for node in handle.nodes]
        return [list(dict.fromkeys(merged)) if deduplicates else merged]

    shown = ", ".join(f"{{{number}}}" for number in range(len(handles)))
    text = f"transform.merge_handles {keyword}{shown} : {OPERATION}"
    names = [handle.name for handle in handles]
    return Statement(text, names, (), *result_types(maker, 1), effect, allows_overlap=True)


def _select(maker: Maker) -> Statement | None:
    target = maker.pick(anything)
    if target is None:
        return None
    name = maker.random.choice(sorted({node.name for node in target.nodes}))
    text = f'transform.select "{name}" in {{0}} : {signature([target], [OPERATION])}'

    def effect(operands: list[Handle]) -> Results:
        return [[node for node in operands[0].nodes if node.name == name]]

    return Statement(text, [target.name], (), *result_types(maker, 1), effect)


def _replicate(maker: Maker) -> Statement | None:
    pattern, target = maker.pick(anything), maker.pick(lambda handle: len(handle.nodes) == 1)
    if pattern is None or target is None:
        return None
    text = f"transform.replicate num({{0}}) {{1}} : {pattern.type}, {target.type}"

    def effect(operands: list[Handle]) -> Results:
        return [list(operands[1].nodes) * len(operands[0].nodes)]

    names = [pattern.name, target.name]
    return Statement(text, names, (), [maker.new_name()], [target.type], effect, allows_overlap=True)


def _constant(maker: Maker) -> Statement | None:
    text = f"transform.param.constant {maker.random.choice((2, 4))} : i64 -> {PARAMETER}"
    return Statement(text, [], (), [maker.new_name()], [PARAMETER])


COMBINING = (
    Form(_cast, 1.0),
    Form(_split, 1.2),
    Form(_overflow, 0.3),
    Form(_merge, 0.7),
    Form(_select, 0.5),
    Form(_replicate, 0.3),
    Form(_constant, 0.2),
)
"""Forms that make handles of others and change nothing."""
