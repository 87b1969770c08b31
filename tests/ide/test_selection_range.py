"""Selection ranges at a cursor, innermost first."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ide.with_cursor import URI, parse_cursor, snapshot_of
from tdls.ide.selection_range import selection_ranges
from tdls.text.span import FileSpan

SCRIPT = """\
!any = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @main(%root: !any {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul", "linalg.fill"]} in %root : (!any) -> !any
    transform.foreach %0, %root : !any, !transform.op<"a.b"> {
    ^bb0(%a: !any, %b: !transform.op<"a.b">):
      transform.my.use %a, %b {level = 3 : i64} : !any, !any
    }
    transform.yield
  }
}
"""
WHOLE = "the whole file"


def selections(marked: str) -> list[str]:
    text, offset = parse_cursor(marked)
    spans = selection_ranges(snapshot_of(text), URI, offset)
    return [text[span.start : span.end] for span in spans]


def shown(marked: str) -> list[str]:
    """Return selections of one line as they are, others by their first and last line."""
    text = marked.replace("$0", "")
    return [_short(selected) if selected != text else WHOLE for selected in selections(marked)]


def _short(selected: str) -> str:
    lines = [line.strip() for line in selected.split("\n")]
    return lines[0] if len(lines) == 1 else f"{lines[0]} ... {lines[-1]}"


MATCH = '%0 = transform.structured.match ops{["linalg.matmul", "linalg.fill"]} in %root : (!any) -> !any'
USE = "transform.my.use %a, %b {level = 3 : i64} : !any, !any"
LABEL = '^bb0(%a: !any, %b: !transform.op<"a.b">):'
IN_MODULE = [
    "transform.named_sequence @main(%root: !any {transform.readonly}) { ... }",
    "{ ... }",
    "module attributes {transform.with_named_sequence} { ... }",
    WHOLE,
]
IN_MAIN = [f"{MATCH} ... transform.yield", "{ ... }", *IN_MODULE]
IN_FOREACH = ["{ ... }", 'transform.foreach %0, %root : !any, !transform.op<"a.b"> { ... }', *IN_MAIN]
IN_BLOCK = [f"{LABEL} ... {USE}", *IN_FOREACH]
CASES = {
    '"linalg.m$0atmul"': [
        '"linalg.matmul"',
        '"linalg.matmul", "linalg.fill"',
        '["linalg.matmul", "linalg.fill"]',
        '{["linalg.matmul", "linalg.fill"]}',
        MATCH,
        *IN_MAIN,
    ],
    "in %ro$0ot :": ["%root", MATCH, *IN_MAIN],
    "(!a$0ny) -> !any": ["!any", "(!any)", "(!any) -> !any", MATCH, *IN_MAIN],
    "%root: !a$0ny": [
        "!any",
        "!any {transform.readonly}",
        "%root: !any {transform.readonly}",
        "(%root: !any {transform.readonly})",
        *IN_MODULE,
    ],
    "%0, %r$0oot": ["%root", "%0, %root", *IN_FOREACH[1:]],
    "lev$0el": ["level", "level = 3 : i64", "{level = 3 : i64}", USE, *IN_BLOCK],
    "%root : $0!any, ": ["!any", '!any, !transform.op<"a.b">', *IN_FOREACH[1:]],
    "use$0 %a": ["transform.my.use", USE, *IN_BLOCK],
    "%b: !transform.op<$0": [
        '"a.b"',
        '<"a.b">',
        '!transform.op<"a.b">',
        '%b: !transform.op<"a.b">',
        '%a: !any, %b: !transform.op<"a.b">',
        '(%a: !any, %b: !transform.op<"a.b">)',
        *IN_BLOCK,
    ],
    "    }$0\n": IN_FOREACH,
    "!any$0 =": ["!any", "!any = !transform.any_op", WHOLE],
}


@pytest.mark.parametrize("place", CASES)
def test_selected_ranges(place: str) -> None:
    marked = SCRIPT.replace(place.replace("$0", ""), place, 1)
    assert shown(marked) == CASES[place]


def test_nothing_of_an_unknown_file() -> None:
    assert selection_ranges(snapshot_of(""), "file:///unknown.mlir", 0) == []


@given(st.integers(0, 2**32))
@settings(max_examples=100)
def test_each_selection_contains_the_one_before(seed: int) -> None:
    random = Random(seed)
    start, end = sorted(random.randrange(len(SCRIPT)) for _ in range(2))
    text = SCRIPT[:start] + SCRIPT[end if random.random() < 0.5 else start :]
    offset = random.randrange(len(text) + 1)
    spans = selection_ranges(snapshot_of(text), URI, offset)
    assert spans[-1] == FileSpan(0, len(text))
    for inner, outer in pairwise([FileSpan(offset, offset), *spans]):
        assert outer.start <= inner.start <= inner.end <= outer.end
    assert len(set(spans)) == len(spans)
