"""Reads the lines that tools print about handles."""

from __future__ import annotations

import pytest

from tdls.interpreter.observing.answers import (
    AnswerReader,
    operation_name,
    printed_at_stop,
    read_prints,
    separated,
    without_stop,
)
from tdls.interpreter.runs.model import RunDiagnostic, RunLevel


@pytest.mark.parametrize(
    ("text", "count", "parts"),
    [
        ("1 : i64", 1, ["1 : i64"]),
        ("1 : i64, 2 : i64", 2, ["1 : i64", "2 : i64"]),
        ("array<i64: 1, 2>, [3, 4]", 2, ["array<i64: 1, 2>", "[3, 4]"]),
        ("affine_map<(d0, d1) -> (d0)>, 7 : i32", 2, ["affine_map<(d0, d1) -> (d0)>", "7 : i32"]),
        ('"a, b"', 1, []),
        ("", 0, []),
    ],
)
def test_parameters(text: str, count: int, parts: list[str]) -> None:
    assert separated(text, count) == parts


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("%0 = arith.constant 1 : index", "arith.constant"),
        ("%0:2, %1 = scf.for %i = %a to %b", "scf.for"),
        ("module attributes {a = 1} {...}", "builtin.module"),
        ("func.func private @f()", "func.func"),
        ('%a = "my.op"() : () -> i32', "my.op"),
        (r'"gr\C3\B6sse"() : () -> ()', "größe".replace("ße", "sse")),
        ("", ""),
    ],
)
def test_names(line: str, name: str) -> None:
    assert operation_name(line) == name


def test_prints_of_the_script_are_left_out() -> None:
    printed = """\
[[[ IR printer: mine ]]]
%9 = "not.this"() loc("a":9:9)
[[[ IR printer: tdls.item 3 1 ]]]
%0 = "first.op"() loc("a":1:2)
second.op [
  more
] loc(unknown)
[[[ IR printer: tdls.item 3 1 ]]]
[[[ IR printer: ]]]
%9 = "not.this"() loc("a":9:9)
"""
    first, second = read_prints(printed)
    assert first == (3, 1, ["first.op", "second.op"])
    assert second == (3, 1, [])


def test_payload_at_the_stop() -> None:
    assert printed_at_stop("mine\n[[[ IR printer: tdls.stop ]]]\nmodule {\n}\n\n") == ("mine\n", "module {\n}\n")
    assert printed_at_stop("mine\n") is None


def test_stop_is_taken_out() -> None:
    pieces = [
        "module {\n",
        """\
  transform.named_sequence @__tdls_stop() {
    transform.sequence  failures(propagate) {
    ^bb0(%arg0: !transform.any_op):
      print %arg0 {name = "tdls.stop"} : !transform.any_op
    }
    transform.yield
  }
""",
        "  transform.sequence failures(propagate) {\n  ^bb0(%arg0: !transform.any_op):\n",
        "    include @__tdls_stop failures(propagate) () : () -> ()\n",
        "    foreach %arg0 : !transform.any_op {\n    }\n  }\n}\n",
    ]
    assert without_stop("".join(pieces)) == "".join(pieces[::2])


@pytest.mark.parametrize(
    "words", ["tdls.point 7 0 : i64", f"tdls.point {'9' * 5000} 0", "tdls.size 7 0 1 : i64", "tdls.item 0 3 x"]
)
def test_words_of_a_script_that_name_no_point_are_its_own(words: str) -> None:
    said = RunDiagnostic(RunLevel.REMARK, words)
    assert not AnswerReader([]).takes(said)
