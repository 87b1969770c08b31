"""Forms with statements inside: sequences, loops over handles, alternatives, calls, actions for what matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.handles import rewrites
from oracle.handles.forms import Form, Maker, anything, grouped, is_all, signature
from oracle.handles.machine import OPERATION, VALUE, Handle, Results, Statement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.handles.bodies import Body

_MOST_ITERATIONS = 6
_SHORTEST = 0.3
_MODES = ("propagate", "propagate", "suppress")


def _sequence(maker: Maker) -> Statement | None:
    targets = [maker.pick(anything)]
    if maker.random.random() < 0.3:
        targets.append(maker.pick(lambda handle: bool(handle.nodes or handle.items), VALUE))
    given = [target for target in targets if target is not None]
    if targets[0] is None:
        return None
    body = maker.body(given, _ends(maker), is_sequence=True)
    types = ", ".join(handle.type for handle in given)
    types = types if len(given) == 1 else f"({types})"
    to = f" -> {', '.join(body.types)}" if body.yields else ""
    operands = ", ".join(f"{{{number}}}" for number in range(len(given)))
    text = f"transform.sequence {operands} : {types}{to} failures({maker.random.choice(_MODES)}) {{{{"
    return _with_body(maker, text, given, body, lambda handles: body.run(maker.machine, handles))


def _foreach(maker: Maker) -> Statement | None:
    first = maker.pick(
        lambda handle: 1 <= len(handle.nodes) <= 6 and (len(handle.nodes) > 1 or maker.random.random() < 0.3)
    )
    if first is None:
        return None
    second = None
    if maker.random.random() < 0.3:
        second = maker.pick(lambda handle: len(handle.nodes) == len(first.nodes))
    given = [first] if second is None else [first, second]
    body = maker.body([_element(handle, 0) for handle in given], _ends(maker))

    def effect(handles: list[Handle]) -> Results:
        gathered: list[list[object]] = [[] for _ in body.yields]
        for number in range(min(len(handle.nodes) for handle in handles)):
            for gathering, found in zip(gathered, body.run(maker.machine, _elements(handles, number)), strict=False):
                gathering.extend(found)
        return gathered  # type: ignore[return-value]

    types = ", ".join(handle.type for handle in given)
    to = f" -> {', '.join(body.types)}" if body.yields else ""
    operands = ", ".join(f"{{{number}}}" for number in range(len(given)))
    keyword = " with_zip_shortest" if second is not None and maker.random.random() < _SHORTEST else ""
    return _with_body(maker, f"transform.foreach {operands}{keyword} : {types}{to} {{{{", given, body, effect)


def _elements(handles: Sequence[Handle], number: int) -> list[Handle]:
    return [_element(handle, number) for handle in handles]


def _element(handle: Handle, number: int) -> Handle:
    return Handle(handle.name, handle.type, handle.nodes[number : number + 1])


def _with_body(maker: Maker, text: str, given: Sequence[Handle], body: Body, effect: object) -> Statement:
    return Statement(
        text,
        [handle.name for handle in given],
        tuple(body.consumed_arguments()),
        [maker.new_name() for _ in body.yields],
        list(body.types),
        effect,  # type: ignore[arg-type]
        inside=[body.head(), *body.lines(), "}"],
        nested=body.statements,
    )


def _ends(maker: Maker) -> int:
    """Return how many handles a block is to give away."""
    return maker.random.choice((0, 0, 1, 1, 2))


def _alternatives(maker: Maker) -> Statement | None:
    if maker.is_in_alternatives:  # MLIR crashes of alternatives in alternatives
        return None
    target = maker.pick(lambda handle: is_all(handle, lambda node: node.name == "func.func"))
    if target is None:
        return None
    maker.is_in_alternatives = True
    first = maker.body([target], maker.random.choice((0, 1)), is_isolated=True)
    results = [maker.new_name() for _ in first.yields]

    def effect(handles: list[Handle]) -> Results:
        clones = []
        for node in list(handles[0].nodes):
            clone = rewrites.copied(node, None)
            rewrites.replace(node, clone)
            clones.append(clone)
        return first.run(maker.machine, [Handle("", OPERATION, clones)])

    to = f" -> {', '.join(first.types)}" if first.yields else ""
    inside = [first.head(), *first.lines(), "}"]
    if not first.yields:
        second = maker.body([target], 0, is_isolated=True)
        inside[-1:] = ["}, {", second.head(), *second.lines(), "}"]
    maker.is_in_alternatives = False
    text = f"transform.alternatives {{0}} : {target.type}{to} {{{{"
    return Statement(
        text, [target.name], (0,), results, list(first.types), effect, inside=inside, nested=first.statements
    )


# Calls


def _include(maker: Maker) -> Statement | None:
    given = [handle for handle in (maker.pick(anything) for _ in range(maker.random.choice((1, 1, 2)))) if handle]
    if not given:
        return None
    body = _known(maker, given) or _callee(maker, given)
    name, consumed = maker.callees[id(body)]
    operands = ", ".join(f"{{{number}}}" for number in range(len(given)))
    types = f"({', '.join(handle.type for handle in given)}) -> {grouped(body.types) if body.types else '()'}"
    text = f"transform.include @{name} failures({maker.random.choice(_MODES)}) ({operands}) : {types}"
    results = [maker.new_name() for _ in body.yields]
    names = [handle.name for handle in given]
    return Statement(text, names, consumed, results, list(body.types), lambda handles: body.run(maker.machine, handles))


def _known(maker: Maker, given: Sequence[Handle]) -> Body | None:
    """Return a sequence that was written for handles like these, now and then."""
    wanted = [(handle.type, _names(handle)) for handle in given]
    fitting = [body for shape, body in maker.known_bodies if shape == wanted]
    return maker.random.choice(fitting) if fitting and maker.random.random() < 0.6 else None


def _callee(maker: Maker, given: Sequence[Handle]) -> Body:
    body = maker.body(given, _ends(maker), is_isolated=True)
    name = f"callee_{len(maker.callees)}"
    consumed = set(body.consumed_arguments())
    if maker.random.random() < 0.1:
        consumed.add(maker.random.randrange(len(given)))
    marks = ["transform.consumed" if number in consumed else "transform.readonly" for number in range(len(given))]
    arguments = (f"{name}: {type_} {{{mark}}}" for (name, type_), mark in zip(body.arguments, marks, strict=True))
    to = f" -> {grouped(body.types)}" if body.types else ""
    head = f"transform.named_sequence @{name}({', '.join(arguments)}){to} {{"
    maker.callees[id(body)] = (name, tuple(sorted(consumed)))
    maker.library += [head, *body.lines(), "}"]
    maker.known_bodies.append(([(handle.type, _names(handle)) for handle in given], body))
    return body


def _names(handle: Handle) -> frozenset[str]:
    return frozenset(node.name for node in handle.nodes)


# What matches

_MATCHERS = ("linalg.matmul", "linalg.generic", "linalg.fill", "scf.for", "memref.load")


_NAMED = ("linalg.matmul", "linalg.fill")
_CHANGING = 0.5
_ACTIONS = {
    "reads": [
        f"transform.named_sequence @reads(%e: {OPERATION} {{transform.readonly}}) {{",
        f'  transform.annotate %e "test.seen" : {OPERATION}',
    ],
    "generalizes": [
        f"transform.named_sequence @generalizes(%e: {OPERATION} {{transform.consumed}}) {{",
        f"  transform.structured.generalize %e : ({OPERATION}) -> {OPERATION}",
    ],
}


def _matcher(maker: Maker, name: str) -> str:
    symbol = f"is_{name.replace('.', '_')}"
    if symbol not in maker.matchers:
        maker.matchers.add(symbol)
        maker.library += [
            f"transform.named_sequence @{symbol}(%e: {OPERATION} {{transform.readonly}}) -> {OPERATION} {{",
            f'  transform.match.operation_name %e ["{name}"] : {OPERATION}',
            f"  transform.yield %e : {OPERATION}",
            "}",
        ]
    return symbol


def _present(handle: Handle) -> list[str]:
    found = {node.name for root in handle.nodes for node in root.walk()}
    return [name for name in _MATCHERS if name in found]


def _collect(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: bool(_present(handle)))
    if target is None or not (names := _present(target)):
        return None
    name = maker.random.choice(names)
    text = f"transform.collect_matching @{_matcher(maker, name)} in {{0}} : {signature([target], [OPERATION])}"

    def effect(handles: list[Handle]) -> Results:
        return [[node for root in handles[0].nodes for node in root.walk() if node.name == name]]

    return Statement(text, [target.name], (), [maker.new_name()], [OPERATION], effect)


def _foreach_match(maker: Maker) -> Statement | None:
    target = maker.pick(lambda handle: bool(_present(handle)))
    if target is None or not (names := _present(target)):
        return None
    name = maker.random.choice(names)
    action = "generalizes" if name in _NAMED and maker.random.random() < _CHANGING else "reads"
    if action not in maker.matchers:
        maker.matchers.add(action)
        maker.library += [*_ACTIONS[action], "  transform.yield", "}"]

    def effect(handles: list[Handle]) -> Results:
        for node in [node for root in handles[0].nodes for node in root.walk() if node.name == name]:
            if action == "generalizes" and not node.is_gone:
                rewrites.renewed(node, "linalg.generic")
        return [[node for node in handles[0].nodes if not node.is_gone]]

    text = (
        f"transform.foreach_match in {{0}} @{_matcher(maker, name)} -> @{action} : {signature([target], [OPERATION])}"
    )
    return Statement(text, [target.name], (0,), [maker.new_name()], [OPERATION], effect)


REGIONS = (
    Form(_sequence, 1.0),
    Form(_foreach, 2.0),
    Form(_include, 2.0),
    Form(_alternatives, 0.6),
)
"""Forms with statements inside, or that call some."""

MATCHING = (Form(_collect, 1.0), Form(_foreach_match, 0.5))
"""Forms that ask sequences whether they match."""
