"""Checks literals in attributes against the builtin type behind them, as every version of MLIR does.

These are numbers with a type, and the elements of ``dense<...>`` and ``array<...>``. Types of projects are not looked
at, nor the bodies of attributes with a syntax of their own.
"""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from tdls.syntax import scanner
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.scanner import Tokens

SHAPED_TYPE = re.compile(
    r":\s*(?:tensor|vector)<(?P<shape>(?:[0-9]{1,19}x)*)(?P<complex>complex<)?"
    r"(?:(?P<integer>[su]?i[1-9][0-9]{0,7}|index)|(?P<float>bf16|tf32|f16|f32|f64|f80|f128))[>,]",
    re.ASCII,
)
_DYNAMIC = re.compile(r":\s*(?:tensor|vector)<(?:[0-9]+x)*(?P<size>\?)x", re.ASCII)
_BYTES = re.compile(r'"0x[0-9a-fA-F]*"', re.ASCII)
_INTEGER_TYPE = re.compile(r"(?P<sign>[su]?)i(?P<width>[1-9][0-9]{0,7})|index", re.ASCII)
_FLOAT_TYPE = re.compile(r"bf16|tf32|f(?:16|32|64|80|128)", re.ASCII)
_A_FLOAT = "a floating point number such as `2.0`"
_INTEGER = re.compile(r"(?P<hexadecimal>0x[0-9a-fA-F]+)|[0-9]+", re.ASCII)
_NOT_INTEGER = re.compile(r"[0-9]*\.[0-9.eE+-]*", re.ASCII)
_TRUTHS = ("true", "false")
_MOST_DIGITS = 1000
"""Longer integers are not compared with their types."""


class LiteralProblem(NamedTuple):
    """A wrong literal: `offset` is its place, `expected` completes "expected ..."."""

    offset: int
    expected: str


def type_of_literal(tokens: Tokens, start: int, end: int) -> tuple[int, str] | None:
    """Return the type of the attribute from token `start` to `end` (exclusive): its first token and its text.

    The token is -1 for a type that is not spelled. None if an alias, or the syntax of a dialect, hides it.
    """
    index = start + (tokens.kinds[start] == "-")
    if tokens.spellings[index] in _TRUTHS:
        return -1, "i1"
    behind = index + 1
    if tokens.kinds[behind] == "<":
        behind = tokens.partners.get(behind, behind) + 1
    if tokens.kinds[behind] == ":" and behind + 1 < end:
        return behind + 1, tokens.text[tokens.starts[behind + 1] : tokens.ends[end - 1]]
    if tokens.kinds[index] != scanner.NUMBER:
        return None
    return -1, "f64" if "." in tokens.spellings[index] else "i64"


def literal_problem(text: str) -> LiteralProblem | None:
    """Return the first wrong literal in the attribute `text`, which is well-formed; takes linear time."""
    if "dense<" not in text and ":" not in text:
        return None
    tokens = scanner.scan(text)
    index = -1
    while index + 1 < tokens.count:
        index += 1
        closer = tokens.partners.get(index + 1, -1) if tokens.kinds[index + 1] == "<" else -1
        if tokens.spellings[index] == "dense" and closer >= index + 3:
            problem = _problem_in_dense(tokens, index + 2, closer)
        elif tokens.spellings[index] == "array" and tokens.kinds[index + 3] == ":" and closer >= 0:
            problem = _problem_in_array(tokens, index + 2, closer)
        elif tokens.kinds[index] == scanner.NUMBER and tokens.kinds[index + 1] == ":":
            problem = _number_problem(tokens, index, tokens.spellings[index + 2])
        else:
            problem = None
        if problem is not None:
            return problem
        index = max(index, closer)
    return None


def _number_problem(tokens: Tokens, index: int, type_: str) -> LiteralProblem | None:
    """Check the number at token `index` against a scalar type."""
    spelling, start = tokens.spellings[index], tokens.starts[index]
    if _FLOAT_TYPE.fullmatch(type_) is not None:
        return LiteralProblem(start, _A_FLOAT) if spelling.isdecimal() else None
    kind = _INTEGER_TYPE.fullmatch(type_)
    integer = _INTEGER.fullmatch(spelling)
    if kind is None:
        return None
    if integer is None:
        return LiteralProblem(start, "an integer") if _NOT_INTEGER.fullmatch(spelling) is not None else None
    if kind["width"] is None or len(spelling) > _MOST_DIGITS:
        return None
    is_negative = index > 0 and tokens.kinds[index - 1] == "-"
    if is_negative and kind["sign"] == "u":
        return LiteralProblem(start, "a number that is not negative")
    value, width = int(spelling, 16 if integer["hexadecimal"] else 10), int(kind["width"])
    has_sign = kind["sign"] == "s" or (is_negative and value > 0)
    needed = (value - is_negative if value else 0).bit_length() + has_sign
    fitting = f"a number that fits into {width} {'bits' if width > 1 else 'bit'}"
    return LiteralProblem(start, fitting) if needed > width else None


def _problem_in_array(tokens: Tokens, first: int, closer: int) -> LiteralProblem | None:
    """Check the elements of ``array<type: elements>``, whose type is token `first`."""
    type_ = tokens.spellings[first]
    kind = _INTEGER_TYPE.fullmatch(type_)
    width = int(kind["width"]) if kind is not None and kind["width"] is not None else 8
    if width % 8 and width != 1:
        return LiteralProblem(tokens.starts[first], "a type of 1 bit or of whole bytes")
    for index in range(first + 2, closer):
        if tokens.kinds[index] == scanner.NUMBER:
            problem = _number_problem(tokens, index, type_)
            if problem is not None:
                return problem
        elif tokens.spellings[index] in _TRUTHS and type_ != "i1":
            return LiteralProblem(tokens.starts[index], "a number")
    return None


def _problem_in_dense(tokens: Tokens, first: int, closer: int) -> LiteralProblem | None:
    dynamic = _DYNAMIC.match(tokens.text, tokens.starts[closer + 1])
    if dynamic is not None:
        return LiteralProblem(dynamic.start("size"), "a static size")
    kind = SHAPED_TYPE.match(tokens.text, tokens.starts[closer + 1])
    return next(_problems(tokens, first, closer, kind), None) if kind is not None else None


def _problems(tokens: Tokens, first: int, closer: int, kind: re.Match[str]) -> Iterator[LiteralProblem]:
    """Yield the wrong elements among the tokens from `first` up to `closer` (exclusive)."""
    lengths: list[int] = []
    """The lengths of the first list of each depth."""
    open_lists: list[int] = []
    in_complex = False
    for index in range(first, closer):
        token, spelling = tokens.kinds[index], tokens.spellings[index]
        if token == scanner.STRING:
            expected = _wanted_data(spelling, kind) if index == first == closer - 1 else None
            if expected is not None:
                yield LiteralProblem(tokens.starts[index], expected)
            return
        if token == "[":
            open_lists.append(index)
        elif token == "]":
            depth = len(open_lists)
            lengths += [-1] * (depth - len(lengths))
            length = _length(tokens, open_lists[-1], index)
            if lengths[depth - 1] < 0:
                lengths[depth - 1] = length
            if length != lengths[depth - 1]:
                wanted = f"a list of {counted(lengths[depth - 1], 'element')} like those before it"
                yield LiteralProblem(tokens.starts[open_lists[-1]], wanted)
            open_lists.pop()
        elif token in ("(", ")"):
            in_complex = token == "("
        elif token == scanner.NUMBER or spelling in _TRUTHS:
            problem = _element_problem(tokens, index, kind, in_complex=in_complex)
            if problem is not None:
                yield problem
    shape = [int(size) for size in kind["shape"].split("x")[:-1]]
    if lengths and lengths != shape:
        yield LiteralProblem(tokens.starts[first], f"elements of the shape {shape}, not {lengths}")


def _wanted_data(string: str, kind: re.Match[str]) -> str | None:
    """Return the text for the data that the type needs in place of `string`, or None if that may be right."""
    if _BYTES.fullmatch(string) is None:
        return 'hexadecimal digits such as `"0x2A"`'
    sizes, given = data_sizes(kind), (len(string) - len('"0x"')) // 2
    return f"{' or '.join(map(str, sorted(sizes)))} bytes" if sizes and given not in sizes else None


def data_sizes(kind: re.Match[str]) -> set[int]:
    """Return the numbers of bytes that data of a `SHAPED_TYPE` may have: of one element or of all; empty if unknown."""
    scalar = kind["integer"] or kind["float"]
    bits = 64 if scalar == "index" else int(scalar.lstrip("suibft"))
    if kind["complex"] is not None or bits == 1 or scalar == "tf32":
        return set()
    size = (bits + 7) // 8
    sizes = {size, size * prod(int(length) for length in kind["shape"].split("x")[:-1])}
    return sizes if 0 not in sizes else set()


def _length(tokens: Tokens, opener: int, closer: int) -> int:
    """Return the number of elements between two square brackets."""
    count, index = 0, opener + 1
    while index < closer:
        if tokens.kinds[index] in ("[", "("):
            index = tokens.partners[index]
        count += tokens.kinds[index] not in (",", "-")
        index += 1
    return count


def _element_problem(tokens: Tokens, index: int, kind: re.Match[str], *, in_complex: bool) -> LiteralProblem | None:
    """Check the number or truth value at token `index` against the type of the elements."""
    spelling = tokens.spellings[index]
    if kind["complex"] is not None and not in_complex:
        expected = "a complex number such as `(1, 2)`"
    elif kind["integer"] is None:
        expected = _A_FLOAT if spelling in _TRUTHS or spelling.isdecimal() else ""
    elif spelling in _TRUTHS:
        expected = "an integer" if kind["integer"] != "i1" else ""
    else:
        return _number_problem(tokens, index, kind["integer"])
    return LiteralProblem(tokens.starts[index], expected) if expected else None
