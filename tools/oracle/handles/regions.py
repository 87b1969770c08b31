"""Forms with statements inside: sequences, loops over handles, alternatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.handles import rewrites
from oracle.handles.copies import Copy
from oracle.handles.forms import Form, Maker, anything, ends, is_all, mode
from oracle.handles.machine import OPERATION, VALUE, Handle, Results, Statement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.handles.bodies import Body
    from oracle.handles.machine import Effect

_MOST_ITERATIONS = 6
_SHORTEST = 0.3
_FAILING = 0.2
"""Probability that an operation whose failure is suppressed fails."""


def _sequence(maker: Maker) -> Statement | None:
    targets = [maker.pick(anything)]
    if maker.random.random() < 0.3:
        targets.append(maker.pick(lambda handle: bool(handle.nodes or handle.items), VALUE))
    given = [target for target in targets if target is not None]
    if targets[0] is None:
        return None
    body = maker.body(given, ends(maker), is_sequence=True)
    failures = mode(maker)
    if failures == "suppress" and maker.random.random() < _FAILING:
        body.failure = _failing(maker, body)
    types = ", ".join(handle.type for handle in given)
    types = types if len(given) == 1 else f"({types})"
    to = f" -> {', '.join(body.types)}" if body.yields else ""
    operands = ", ".join(f"{{{number}}}" for number in range(len(given)))
    text = f"transform.sequence {operands} : {types}{to} failures({failures}) {{{{"
    return with_body(maker, text, given, body, lambda handles: body.run(maker.machine, handles))


def _failing(maker: Maker, body: Body) -> str:
    """Return an operation that fails silenceably, for the first argument of `body`; "" where that is consumed."""
    (name, type_) = body.arguments[0]
    if 0 in body.consumed_arguments():
        return ""
    wanted = '{op_name = "test.nowhere"}'
    return f"{maker.new_name()} = transform.get_parent_op {name} {wanted} : ({type_}) -> {OPERATION}"


def _foreach(maker: Maker) -> Statement | None:
    first = maker.pick(
        lambda handle: (
            1 <= len(handle.nodes) <= _MOST_ITERATIONS and (len(handle.nodes) > 1 or maker.random.random() < 0.3)
        )
    )
    if first is None:
        return None
    is_shortest = maker.random.random() < _SHORTEST
    given = [first]
    for _ in range(maker.random.choice((0, 0, 0, 1, 1, 2))):
        other = maker.pick(lambda handle: anything(handle) and (is_shortest or len(handle.nodes) == len(first.nodes)))
        given += [other] if other is not None else []
    body = maker.body([_element(handle, 0) for handle in given], ends(maker))

    def effect(handles: list[Handle]) -> Results:
        gathered: list[list[object]] = [[] for _ in body.yields]
        for number in range(min(len(handle.nodes) for handle in handles)):
            for gathering, found in zip(gathered, body.run(maker.machine, _elements(handles, number)), strict=False):
                gathering.extend(found)
        return gathered  # type: ignore[return-value]

    types = ", ".join(handle.type for handle in given)
    to = f" -> {', '.join(body.types)}" if body.yields else ""
    operands = ", ".join(f"{{{number}}}" for number in range(len(given)))
    keyword = " with_zip_shortest" if is_shortest and len(given) > 1 else ""
    return with_body(maker, f"transform.foreach {operands}{keyword} : {types}{to} {{{{", given, body, effect)


def _elements(handles: Sequence[Handle], number: int) -> list[Handle]:
    return [_element(handle, number) for handle in handles]


def _element(handle: Handle, number: int) -> Handle:
    return Handle(handle.name, handle.type, handle.nodes[number : number + 1])


def with_body(maker: Maker, text: str, given: Sequence[Handle], body: Body, effect: Effect) -> Statement:
    """Return a statement with the operands `given` and one region."""
    return Statement(
        text,
        [handle.name for handle in given],
        tuple(body.consumed_arguments()),
        [maker.new_name() for _ in body.yields],
        list(body.types),
        effect,
        inside=[body.head(), *body.lines(), "}"],
        nested=body.statements,
    )


def _alternatives(maker: Maker) -> Statement | None:
    if maker.is_in_alternatives:  # MLIR crashes of alternatives in alternatives
        return None
    target = maker.pick(lambda handle: is_all(handle, lambda node: node.name == "func.func"))
    if target is None:
        return None
    maker.is_in_alternatives = True
    bodies = [maker.body([target], maker.random.choice((0, 1)), is_isolated=True)]
    if not bodies[0].yields:
        bodies.append(maker.body([target], 0, is_isolated=True))
        bodies[0].failure = _failing(maker, bodies[0]) if maker.random.random() < _FAILING * 2 else ""
    elif maker.random.random() < _FAILING * 2 and set(bodies[0].types) == {target.type}:
        bodies.insert(0, _giving_up(maker, target))
    maker.is_in_alternatives = False
    inside = [line for body in bodies for line in ("}, {", body.head(), *body.lines())][1:]
    first = bodies[0]
    to = f" -> {', '.join(first.types)}" if first.yields else ""
    text = f"transform.alternatives {{0}} : {target.type}{to} {{{{"
    results, types = [maker.new_name() for _ in first.yields], list(first.types)
    nested = [statement for body in bodies for statement in body.statements]

    def effect(handles: list[Handle]) -> Results:
        return _first_that_succeeds(maker, bodies, handles[0])

    return Statement(text, [target.name], (0,), results, types, effect, inside=[*inside, "}"], nested=nested)


def _giving_up(maker: Maker, target: Handle) -> Body:
    """Return a body that fails, and would give away its argument."""
    body = maker.body([target], 0, is_isolated=True)
    body.failure = _failing(maker, body)
    name, type_ = body.arguments[0]
    body.yields, body.types = ([name], [type_]) if body.failure else ([], [])
    return body


def _first_that_succeeds(maker: Maker, bodies: Sequence[Body], scope: Handle) -> Results:
    """Run each of `bodies` on copies of the payload of `scope`; put those of the first that succeeds in its place."""
    chosen = next((body for body in bodies if not body.failure), bodies[-1])
    for body in bodies[: bodies.index(chosen)]:
        copy = Copy(maker.machine)
        body.run(copy.machine, [copy.handle(scope)])
        maker.machine.has_failed = maker.machine.has_failed or copy.machine.has_failed
    clones = []
    for node in list(scope.nodes):
        clone = rewrites.copied(node, None)
        rewrites.replace(node, clone)
        clones.append(clone)
    return chosen.run(maker.machine, [Handle("", OPERATION, clones)])


REGIONS = (Form(_sequence, 1.0), Form(_foreach, 2.0), Form(_alternatives, 0.6))
"""Forms with statements inside."""
