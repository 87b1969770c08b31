"""Forms that call named sequences: of the same module, or of a library that is loaded before."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oracle.handles.forms import Form, Maker, anything, ends, grouped, mode
from oracle.handles.machine import VALUE, Handle, Statement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.handles.bodies import Body

_AGAIN = 0.6
"""Probability that a suitable sequence is called again."""
_IN_LIBRARY = 0.3
_MARKED = 0.1
"""Probability that an argument is marked as consumed without being consumed."""
_VALUES_MARKED = 0.7


class Callee(NamedTuple):
    """A named sequence that was written: its body, and types and names of operations of the handles it is for."""

    name: str
    body: Body
    consumed: tuple[int, ...]
    shape: tuple[tuple[str, frozenset[str]], ...]
    is_apart: bool
    """True if it stands in the library."""
    is_declared: bool
    """True if the script can name it."""


def _include(maker: Maker) -> Statement | None:
    if maker.is_in_patterns:
        return None
    picked = [maker.pick(anything) for _ in range(maker.random.choice((1, 1, 2)))]
    if maker.random.random() < 0.25:
        picked.append(maker.pick(lambda handle: bool(handle.items), VALUE))
    given = [handle for handle in picked if handle is not None]
    if not given:
        return None
    callee = _known(maker, given) or _callee(maker, given)
    operands = ", ".join(f"{{{number}}}" for number in range(len(given)))
    to = grouped(callee.body.types) if callee.body.types else "()"
    types = f"({', '.join(handle.type for handle in given)}) -> {to}"
    text = f"transform.include @{callee.name} failures({mode(maker)}) ({operands}) : {types}"
    results = [maker.new_name() for _ in callee.body.yields]
    names = [handle.name for handle in given]

    def effect(handles: list[Handle]) -> object:
        return callee.body.run(maker.machine, handles)

    return Statement(text, names, callee.consumed, results, list(callee.body.types), effect)  # type: ignore[arg-type]


def _shape(given: Sequence[Handle]) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((handle.type, frozenset(node.name for node in handle.nodes)) for handle in given)


def _known(maker: Maker, given: Sequence[Handle]) -> Callee | None:
    """Return a sequence that was written for handles like these, now and then."""
    named = (each for each in maker.callees if (each.is_apart if maker.is_in_library else each.is_declared))
    fitting = [callee for callee in named if callee.shape == _shape(given)]
    return maker.random.choice(fitting) if fitting and maker.random.random() < _AGAIN else None


def _callee(maker: Maker, given: Sequence[Handle]) -> Callee:
    is_apart = maker.is_in_library or maker.random.random() < _IN_LIBRARY
    outside, maker.is_in_library = maker.is_in_library, is_apart
    body = maker.body(given, ends(maker), is_isolated=True)
    maker.is_in_library = outside
    name = f"callee_{len(maker.callees)}"
    consumed = {*body.consumed_arguments(), *_marked(maker, given)}
    marks = ["transform.consumed" if number in consumed else "transform.readonly" for number in range(len(given))]
    to = f" -> {grouped(body.types)}" if body.types else ""
    arguments = [f"{type_} {{{mark}}}" for (_, type_), mark in zip(body.arguments, marks, strict=True)]
    named = (f"{name}: {argument}" for (name, _), argument in zip(body.arguments, arguments, strict=True))
    lines = [f"transform.named_sequence @{name}({', '.join(named)}){to} {{", *body.lines(), "}"]
    if is_apart:
        maker.preloaded += lines
        if not outside:
            maker.library.append(f"transform.named_sequence private @{name}({', '.join(arguments)}){to}")
    else:
        maker.library += lines
    callee = Callee(name, body, tuple(sorted(consumed)), _shape(given), is_apart, not outside)
    maker.callees.append(callee)
    return callee


def _marked(maker: Maker, given: Sequence[Handle]) -> list[int]:
    """Return the numbers of arguments that are marked as consumed, whether or not the body consumes them."""
    shares = [_VALUES_MARKED if handle.is_value else _MARKED / len(given) for handle in given]
    return [number for number, share in enumerate(shares) if maker.random.random() < share]


CALLS = (Form(_include, 1.0),)
"""Forms that call."""
