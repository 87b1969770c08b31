"""The points of scripts, also of broken ones."""

from __future__ import annotations

import random

import pytest

from interpreter.scripts import MATCH, TILE, script_of, sequence
from oracle.run_corpus.scripts import scripts
from tdls.interpreter.observing.points import Point, steps_of, stop_at

ANY = "!transform.any_op"


def points_of(text: str) -> list[Point]:
    return steps_of(script_of(text))


def shown(text: str) -> str:
    """Return `text` with the handles that are new at each point, and ``|`` where nothing but a terminator follows."""
    pieces: list[str] = []
    position = 0
    for point in points_of(text):
        names = " ".join(handle.shown for handle in point.handles)
        pieces += (text[position : point.offset], f"<{names}{'|' if point.is_last else ''}>")
        position = point.offset
    return "".join([*pieces, text[position:]])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            f"%p = transform.get_parent_op %root : ({ANY}) -> {ANY}",
            f"%p = transform.get_parent_op %root : ({ANY}) -> {ANY}<%p|>",
        ),
        (
            f"%a:2 = transform.my.op %root : ({ANY}) -> ({ANY}, i32)",
            f"%a:2 = transform.my.op %root : ({ANY}) -> ({ANY}, i32)<%a#0|>",
        ),
        (f'"iree.op"(%root) : ({ANY}) -> ()', f'"iree.op"(%root) : ({ANY}) -> ()<|>'),
        (
            f"transform.apply_patterns to %root {{ transform.apply_patterns.canonicalization }} : {ANY}",
            f"transform.apply_patterns to %root {{ transform.apply_patterns.canonicalization }} : {ANY}<|>",
        ),
        (
            f"transform.foreach %root : {ANY} {{ ^bb0(%e: {ANY}): }} // %e",
            f"transform.foreach %root : {ANY} {{ ^bb0(%e: {ANY}): <%e|>}}<|> // %e",
        ),
    ],
)
def test_points(body: str, expected: str) -> None:
    before, behind = sequence("@@\n", "").split("@@")
    assert shown(before + body + behind) == before + "<%root>" + expected + behind


def test_sequences_that_match_have_none() -> None:
    text = f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @m(%a: {ANY} {{transform.readonly}}) {{
    transform.include @helper failures(propagate) (%a) : ({ANY}) -> ()
    transform.yield
  }}
  transform.named_sequence @helper(%b: {ANY} {{transform.readonly}}) {{ transform.yield }}
  transform.named_sequence @__transform_main(%c: {ANY} {{transform.consumed}}) {{
    %d = transform.collect_matching @m in %c : ({ANY}) -> {ANY}
    transform.yield
  }}
}}
"""
    assert [[handle.shown for handle in point.handles] for point in points_of(text)] == [["%c"], ["%d"]]


def test_broken_scripts() -> None:
    chance = random.Random(7)
    for script in scripts()[::13]:
        text = script.text
        for _ in range(3):
            start = chance.randrange(len(text))
            text = (
                text[:start]
                + chance.choice(["", "{", "}", "(", "%x = ", '"', "\n"])
                + text[start + chance.randrange(9) :]
            )
            points = points_of(text)
            assert all(0 <= point.offset <= len(text) for point in points)
            last = stop_at(points, chance.randrange(len(text)))
            assert last is None or last in range(len(points))


def test_each_operation_is_stopped_behind() -> None:
    text = sequence(MATCH + TILE)
    points = points_of(text)
    stops = {stop_at(points, offset) for offset in range(text.index("%matmul ="), text.index("\n    %tiled,") + 1)}
    assert [points[stop].behind for stop in stops if stop is not None] == [points[1].behind]
    assert stop_at(points, 0) is None


LIBRARY = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "seen" : !transform.any_op
    transform.yield
  }
}
"""
USER = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence private @is_matmul(!transform.any_op {transform.readonly}) -> !transform.any_op
  transform.named_sequence private @mark(!transform.any_op {transform.readonly})
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.foreach_match in %root @is_matmul -> @mark : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""


def test_matchers_of_libraries_that_only_the_script_uses_have_no_points() -> None:
    script, library = script_of(USER), script_of(LIBRARY)
    assert len(steps_of(library)) == 4
    points = steps_of(script, library)
    assert [point.script for point in points] == [script, script, library, library]
    assert all(LIBRARY.index("@mark") < point.offset for point in points[2:])
