"""Forms that ask named sequences, or patterns in PDL, whether they match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.handles.forms import Form, Maker, grouped, only, result_types, signature
from oracle.handles.machine import OPERATION, Handle, Results, Statement
from oracle.handles.regions import with_body

if TYPE_CHECKING:
    from oracle.handles.bodies import Body
    from oracle.handles.payload import Node

_MATCHED = ("linalg.matmul", "linalg.generic", "linalg.fill", "scf.for", "memref.load", "arith.addf")
_SHOWN_PARENT = 0.3
_OF_ALL = 0.4
_RESTRICTED = 0.15


def _present(handle: Handle) -> list[str]:
    found = {node.name for root in handle.nodes for node in root.walk()}
    return [name for name in _MATCHED if name in found]


def _matcher(maker: Maker, name: str, *, with_parent: bool = False) -> str:
    """Return the symbol of a matcher of operations called `name`, which is written once; also for their parents."""
    symbol = f"is_{name.replace('.', '_')}{'_in' if with_parent else ''}"
    if symbol in maker.matchers:
        return symbol
    maker.matchers.add(symbol)
    gives, types, steps = "%e", OPERATION, []
    if with_parent:
        gives, types = "%e, %p", f"{OPERATION}, {OPERATION}"
        steps = [f"  %p = transform.get_parent_op %e : ({OPERATION}) -> {OPERATION}"]
    to = f"({types})" if with_parent else types
    maker.library += [
        f"transform.named_sequence @{symbol}(%e: {OPERATION} {{transform.readonly}}) -> {to} {{",
        f'  transform.match.operation_name %e ["{name}"] : {OPERATION}',
        *steps,
        f"  transform.yield {gives} : {types}",
        "}",
    ]
    return symbol


def _searched(maker: Maker) -> Handle | None:
    """Return a handle to look for something in; matchers and actions stand in the script itself only."""
    is_out_of_reach = maker.is_in_library or maker.is_in_patterns
    return maker.pick(lambda handle: bool(_present(handle))) if not is_out_of_reach else None


def _collect(maker: Maker) -> Statement | None:
    target = _searched(maker)
    if target is None:
        return None
    name = maker.random.choice(_present(target))
    with_parent = maker.random.random() < _SHOWN_PARENT
    results, types = result_types(maker, 2 if with_parent else 1)
    matcher = _matcher(maker, name, with_parent=with_parent)
    text = f"transform.collect_matching @{matcher} in {{0}} : {signature([target], types)}"

    def effect(handles: list[Handle]) -> Results:
        found = [node for root in handles[0].nodes for node in root.walk() if node.name == name]
        return [found, [node.parent for node in found if node.parent is not None]]

    return Statement(text, [target.name], (), results, types, effect)


def _foreach_match(maker: Maker) -> Statement | None:
    """Write actions for one or two kinds of operations; they may change their operands' payload, or its parents."""
    target = _searched(maker)
    if target is None:
        return None
    names = _present(target)
    chosen = maker.random.sample(names, min(len(names), maker.random.choice((1, 1, 2))))
    gives = maker.random.random() < _OF_ALL and len(chosen) == 1
    actions = {name: _action(maker, target, name, gives=gives) for name in chosen}
    pairs = ", ".join(f"@{_matcher(maker, name)} -> @{symbol}" for name, (symbol, _) in actions.items())
    body = actions[chosen[0]][1]
    given = body.types if gives else []
    is_restricted = maker.random.random() < _RESTRICTED
    words = " ".join((*(("restrict_root",) if is_restricted else ()), *(("flatten_results",) if given else ()), "in"))
    text = f"transform.foreach_match {words} {{0}} {pairs} : {signature([target], [OPERATION, *given])}"

    def effect(handles: list[Handle]) -> Results:
        return _act(maker, {name: body for name, (_, body) in actions.items()}, handles[0], is_restricted)

    results = [maker.new_name() for _ in range(1 + len(given))]
    return Statement(text, [target.name], (0,), results, [OPERATION, *given], effect)


def _action(maker: Maker, target: Handle, name: str, *, gives: bool) -> tuple[str, Body]:
    """Write a named sequence for an operation called `name` in `target`."""
    node = next(node for root in target.nodes for node in root.walk() if node.name == name)
    body = maker.body([Handle("", OPERATION, [node])], int(gives), is_isolated=True)
    symbol = f"act_{len(maker.actions)}"
    maker.actions.append(symbol)
    mark = "transform.consumed" if body.consumed_arguments() else "transform.readonly"
    to = f" -> {grouped(body.types)}" if body.types else ""
    argument = body.arguments[0][0]
    head = f"transform.named_sequence @{symbol}({argument}: {OPERATION} {{{mark}}}){to} {{"
    maker.library += [head, *body.lines(), "}"]
    return symbol, body


def _act(maker: Maker, actions: dict[str, Body], root: Handle, is_restricted: bool) -> Results:
    gathered: list[Node] = []
    for node in [node for each in root.nodes for node in each.walk() if node.name in actions]:
        if node.is_gone or (is_restricted and node in root.nodes):
            continue
        for found in actions[node.name].run(maker.machine, [Handle("", OPERATION, [node])])[:1]:
            gathered.extend(found)  # type: ignore[arg-type]
    return [[node for node in root.nodes if not node.is_gone], gathered]


# PDL

_PATTERN = """\
pdl.pattern @of_{name} : benefit(1) {{{{
    %operands = pdl.operands
    %types = pdl.types
    %op = pdl.operation "{operation}"(%operands : !pdl.range<value>) -> (%types : !pdl.range<type>)
    pdl.rewrite %op with "transform.dialect"
  }}}}"""
_SIMPLE = ("arith.addf", "arith.mulf", "memref.load", "tensor.empty")


def _pdl(maker: Maker) -> Statement | None:
    """Write ``transform.with_pdl_patterns`` around a sequence that begins with a match of its pattern."""
    target = maker.pick(lambda handle: len(handle.nodes) == 1 and bool(_simple(handle)))
    if target is None or maker.is_in_patterns:
        return None
    operation = maker.random.choice(_simple(target))
    symbol = f"of_{operation.replace('.', '_')}"
    text = f"transform.pdl_match @{symbol} in {{0}} : ({target.type}) -> {OPERATION}"

    def found(handles: list[Handle]) -> Results:
        return [[node for node in only(handles[0]).walk() if node.name == operation]]

    begin = Statement(text, [""], (), [maker.new_name()], [OPERATION], found)
    maker.is_in_patterns = True
    body = maker.body([target], 0, is_sequence=True, begin=begin)
    maker.is_in_patterns = False
    scope = maker.new_name()
    pattern = _PATTERN.format(name=symbol.removeprefix("of_"), operation=operation).format()
    head = f"transform.with_pdl_patterns {{0}} : {target.type} {{{{"
    statement = with_body(maker, head, [target], body, lambda handles: body.run(maker.machine, handles))
    sequence = f"  transform.sequence {scope} : {target.type} failures(propagate) {{"
    inside = [f"  {line}" for line in statement.inside]
    statement.inside = [f"^bb0({scope}: {target.type}):", *f"  {pattern}".split("\n"), sequence, *inside, "}"]
    return statement


def _simple(handle: Handle) -> list[str]:
    found = {node.name for root in handle.nodes for node in root.walk() if not node.is_implied}
    return [name for name in _SIMPLE if name in found]


MATCHING = (Form(_collect, 1.0), Form(_foreach_match, 1.0), Form(_pdl, 0.6))
"""Forms that ask whether something matches."""
