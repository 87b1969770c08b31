"""Checks elements of ``dense<...>`` attributes against the builtin type behind them, as every version of MLIR does.

Types of projects, strings of bytes and the range of integers are not looked at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tdls.syntax import scanner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.scanner import Tokens

_TYPE = re.compile(
    r":\s*(?:tensor|vector)<(?P<shape>(?:[0-9]+x)*)(?P<complex>complex<)?"
    r"(?:(?P<integer>[su]?i[1-9][0-9]*|index)|bf16|tf32|f16|f32|f64|f80|f128)[>,]",
    re.ASCII,
)
_NOT_INTEGER = re.compile(r"[0-9]*\.[0-9.eE+-]*", re.ASCII)
_TRUTHS = ("true", "false")


class DenseProblem(NamedTuple):
    """A wrong element: `offset` is its place, `expected` completes "expected ..."."""

    offset: int
    expected: str


def dense_problem(text: str) -> DenseProblem | None:
    """Return the first wrong literal in the attribute `text`, which is well-formed; takes linear time."""
    if "dense<" not in text:
        return None
    tokens = scanner.scan(text)
    for index, spelling in enumerate(tokens.spellings):
        closer = tokens.partners.get(index + 1, -1)
        if spelling != "dense" or tokens.kinds[index + 1] != "<" or closer < index + 3:
            continue
        kind = _TYPE.match(text, tokens.starts[closer + 1])
        problem = next(_problems(tokens, index + 2, closer, kind), None) if kind is not None else None
        if problem is not None:
            return problem
    return None


def _problems(tokens: Tokens, first: int, closer: int, kind: re.Match[str]) -> Iterator[DenseProblem]:
    """Yield the wrong elements among the tokens from `first` up to `closer` (exclusive)."""
    lengths: list[int] = []
    """The lengths of the first list of each depth."""
    open_lists: list[int] = []
    in_complex = False
    for index in range(first, closer):
        token, spelling = tokens.kinds[index], tokens.spellings[index]
        if token == scanner.STRING:
            return
        if token == "[":
            open_lists.append(index)
        elif token == "]":
            depth = len(open_lists)
            lengths += [-1] * (depth - len(lengths))
            if lengths[depth - 1] < 0:
                lengths[depth - 1] = _length(tokens, open_lists[-1], index)
            open_lists.pop()
        elif token in ("(", ")"):
            in_complex = token == "("
        elif token == scanner.NUMBER or spelling in _TRUTHS:
            expected = _wanted(spelling, kind, in_complex=in_complex)
            if expected is not None:
                yield DenseProblem(tokens.starts[index], expected)
    shape = [int(size) for size in kind["shape"].split("x")[:-1]]
    if lengths and lengths != shape:
        found = ", ".join(map(str, lengths))
        yield DenseProblem(tokens.starts[first], f"elements of the shape [{', '.join(map(str, shape))}], not [{found}]")


def _length(tokens: Tokens, opener: int, closer: int) -> int:
    """Return the number of elements between two square brackets."""
    count, index = 0, opener + 1
    while index < closer:
        if tokens.kinds[index] in ("[", "("):
            index = tokens.partners[index]
        count += tokens.kinds[index] not in (",", "-")
        index += 1
    return count


def _wanted(spelling: str, kind: re.Match[str], *, in_complex: bool) -> str | None:
    """Return the text for the element that the type needs in place of `spelling`; None if that may be right."""
    if kind["complex"] is not None and not in_complex:
        return "a complex number such as `(1, 2)`"
    if kind["integer"] is None:
        return "a floating point number" if spelling in _TRUTHS or spelling.isdecimal() else None
    if spelling in _TRUTHS:
        return "an integer" if kind["integer"] != "i1" else None
    return "an integer" if _NOT_INTEGER.fullmatch(spelling) is not None else None
