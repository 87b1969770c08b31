"""Scripts on other payloads than their own: the same operations in other functions, or in none; fewer; more.

The payload of a variant is written into the lines of the script's own, so that all places remain.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from oracle.handles.payload import payload

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oracle.handles.payload import Node
    from oracle.handles.scripts import HandleScript

_SUPPLIES = ("arith.constant", "tensor.empty")
"""Operations of which functions have as many as they need."""
_KEPT = (0.85, 0.85, 0.3)
"""Shares of a function's operations that a variant keeps."""
_MORE = 0.4
_ELSEWHERE = 0.4
_INTEGERS = (("f32", "i32"), (" 0.0 ", " 0 "), ("arith.addf", "arith.addi"), ("arith.mulf", "arith.muli"))
_NO_INTEGERS = ("linalg.exp", "linalg.abs")
_LONERS = {
    "%c: i1": "scf.if %c {\n}",
    "%x: f32": "%y = arith.addf %x, %x : f32",
    "%z: f32": "%w = arith.mulf %z, %z : f32",
    "": "",
    "%n: index": "scf.forall (%i) in (%n) {\n}",
    "%b: index": "%s = arith.constant 1 : index\n%e = arith.constant 8 : index\nscf.for %i = %b to %e step %s {\n}",
    "%m: memref<8xf32>, %i: index": "%y = memref.load %m[%i] : memref<8xf32>",
    "%y: f32, %m: memref<8xf32>, %i: index": "memref.store %y, %m[%i] : memref<8xf32>",
    "%v: memref<8xf32>": "linalg.exp ins(%v : memref<8xf32>) outs(%v : memref<8xf32>)",
    "%v: memref<8xf32>, %x: f32": "linalg.fill ins(%x : f32) outs(%v : memref<8xf32>)",
    "%v: memref<8xf32>, %w: memref<8xf32>": "linalg.abs ins(%v : memref<8xf32>) outs(%w : memref<8xf32>)",
    "%k: index": "%t = tensor.empty(%k) : tensor<?xf32>",
}
"""Operations that other functions usually contain, alone in functions with these arguments."""
_HEAD = re.compile(r"func\.func @\w+\((?P<arguments>.*?)\)(?: -> (?P<results>.*))? \{")
_DEFINED = re.compile(r"^ *(%\w+) =|scf\.forall \((%\w+)\)|scf\.for (%\w+)|\^bb0\((%\w+): \w+, (%\w+)", re.MULTILINE)
_NAME = re.compile(r"%v\w*")


def variants(script: HandleScript, count: int) -> Iterator[HandleScript]:
    """Yield `script`, a generated one, on `count` other payloads, always the same ones: ``1:17/0``, ``1:17/1``, ..."""
    random = Random(f"{script.name} elsewhere")
    for number in range(count):
        own = payload(Random(script.name)).children
        written = " ".join(_functions(own, random)).replace("\n", " ")
        yield replace(script.on_payload(written), name=f"{script.name}/{number}")


def _functions(own: Sequence[Node], random: Random) -> list[str]:
    """Return the text of functions with operations of `own`, and now and then of others."""
    more = payload(random).children if random.random() < _MORE else []
    groups = [group for function in [*own, *more] for group in _groups(function, random)]
    loners = random.sample(sorted(_LONERS), random.choice((0, 0, 1, 2, 3)))
    has_elsewhere = random.random() < _ELSEWHERE
    functions = [*(_function(function, kept, random) for function, kept in groups)]
    functions += [(arguments, "", _LONERS[arguments], "") for arguments in loners]
    random.shuffle(functions)
    return [
        _unregistered(*function)
        if has_elsewhere and random.random() < _ELSEWHERE
        else _written(f"f{number}", *function)
        for number, function in enumerate(functions)
    ]


def _groups(function: Node, random: Random) -> list[tuple[Node, list[Node]]]:
    """Divide some of the operations in `function` into groups, each for a function of its own."""
    count, share = random.choice((1, 1, 2, 3)), random.choice(_KEPT)
    groups: list[list[Node]] = [[] for _ in range(count)]
    for node in function.children:
        if node.name not in _SUPPLIES and node.name != "func.return" and random.random() < share:
            random.choice(groups).append(node)
    return [(function, group) for group in groups if group]


def _function(function: Node, kept: Sequence[Node], random: Random) -> tuple[str, str, str, str]:
    """Return arguments, result type, body, and returned values, for the operations `kept` of `function`."""
    head = _HEAD.match(function.text)
    assert head is not None
    supplies = [node for node in function.children if node.name in _SUPPLIES]
    lines = "\n".join(line for node in [*supplies, *kept] for line in node.lines())
    defined = {found for groups in _DEFINED.findall(lines) for found in groups if found}
    result = head["results"] or ""
    unknown = random.choice(("%a0", "%q")) if result else "%a0"
    body = _NAME.sub(lambda match: match[0] if match[0] in defined else unknown, lines)
    body = f'%q = "test.value"() : () -> {result}\n{body}' if unknown == "%q" else body
    texts = (head["arguments"], result, body, "%a0" if result else "")
    if random.random() < _ELSEWHERE and not any(name in body for name in _NO_INTEGERS):
        texts = tuple(map(_with_integers, texts))  # type: ignore[assignment]
    return texts


def _with_integers(text: str) -> str:
    for floating, integer in _INTEGERS:
        text = text.replace(floating, integer)
    return text


def _written(name: str, arguments: str, result: str, body: str, given: str) -> str:
    to = f" -> {result}" if result else ""
    last = f"return {given} : {result}" if result else "return"
    return f"func.func @{name}({arguments}){to} {{\n{body}\n{last}\n}}"


def _unregistered(arguments: str, result: str, body: str, given: str) -> str:
    """Return the text of an unregistered operation in place of a function."""
    return (
        f'"test.function"() ({{\n^bb0({arguments}):\n{body}\n"test.return"({given}) : ({result}) -> ()\n}}) : () -> ()'
    )
