"""Explanations of matchers and of empty handles, which are the same with both backends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import QUICK, script_of
from tdls.interpreter.matching.explanation import explained, matcher_remarks
from tdls.interpreter.matching.reports import why_stopped
from tdls.interpreter.runs.model import Limits, Place, RunRequest, TextFile

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.matching.explanation import Explanation
    from tdls.interpreter.runs.model import RunDiagnostic

PAYLOAD = """\
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>, %c: tensor<8x32xf32>, %d: tensor<4x32xf32>, %e: f32) {
  %0 = linalg.matmul {tag = "first"} ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%c : tensor<8x32xf32>)
    -> tensor<8x32xf32>
  %1 = linalg.fill ins(%e : f32) outs(%d : tensor<4x32xf32>) -> tensor<4x32xf32>
  %2 = linalg.fill ins(%e : f32) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return
}
"""
ANY = "!transform.any_op"
MATCHERS = f"""\
transform.named_sequence @large(%op: {ANY} {{transform.readonly}}) -> {ANY} {{
  transform.match.operation_name %op ["linalg.fill", "linalg.matmul"] : {ANY}
  %size = transform.match.structured %op : ({ANY}) -> !transform.param<i64> {{
  ^bb0(%s: {ANY}):
    transform.match.structured.dim %s[all] {{parallel}} : {ANY}
    %n = transform.match.structured.dim %s[0] : ({ANY}) -> !transform.param<i64>
    transform.match.structured.yield %n : !transform.param<i64>
  }}
  %least = transform.param.constant 8 : i64 -> !transform.param<i64>
  transform.match.param.cmpi ge %size, %least : !transform.param<i64>
  transform.yield %op : {ANY}
}}
transform.named_sequence @fill(%op: {ANY} {{transform.readonly}}) -> {ANY} {{
  transform.match.operation_name %op ["linalg.fill"] : {ANY}
  transform.yield %op : {ANY}
}}
transform.named_sequence @act(%op: {ANY} {{transform.readonly}}) {{
  transform.yield
}}
"""
MATCHING = f"  %new = transform.foreach_match in %root @large -> @act, @fill -> @act : ({ANY}) -> {ANY}\n"


def script(body: str, matchers: str = "", root: str = "readonly") -> str:
    main = f"transform.named_sequence @__transform_main(%root: {ANY} {{transform.{root}}})"
    begin = f"module attributes {{transform.with_named_sequence}} {{\n{matchers}"
    return f"{begin}{main} {{\n{body}  transform.yield\n}}\n}}\n"


def explanation(backend: Backend, text: str, payload: str | None = PAYLOAD) -> Explanation:
    file = TextFile("payload.mlir", payload) if payload is not None else None
    return explained(RunRequest(script_of(text), file, limits=QUICK), backend)


def lines(diagnostic: RunDiagnostic) -> list[str]:
    return [f"{said.file}:{said.line} {said.message}" for said in (diagnostic, *diagnostic.notes)]


def test_each_condition_says_how_many_fail_there_the_nearest_miss_first(backend: Backend) -> None:
    large, fill = matcher_remarks(explanation(backend, script(MATCHING, MATCHERS, "consumed")))
    *said, others = lines(large)
    assert said == [
        "script.mlir:2 `@large` accepted 1 of 10 operations",
        "script.mlir:11 1 operation fails here: `4 >= 8` is false",
        "payload.mlir:4 this one",
        "script.mlir:6 1 operation fails here: `parallel` is asked for",
        "payload.mlir:2 this one",
    ]
    assert others == "script.mlir:3 7 operations fail here: `linalg.fill` or `linalg.matmul` is asked for"
    assert lines(fill)[0] == "script.mlir:14 `@fill` accepted 1 of 9 operations"


def test_an_empty_list_is_called_so(backend: Backend) -> None:
    size = f"    %n = transform.match.structured.dim %s[0] : ({ANY}) -> !transform.param<i64>\n"
    types = ", ".join(["!transform.param<i64>"] * 4)
    batch = f"    %n, %r, %c, %k = transform.match.structured.classify_contraction_dims %s : ({ANY}) -> ({types})\n"
    matchers = MATCHERS.replace("[all] {parallel}", "[0] {parallel}").replace(size, batch)
    large, _ = matcher_remarks(explanation(backend, script(MATCHING, matchers, "consumed")))
    assert "script.mlir:11 1 operation fails here: `[] >= 8` is false" in lines(large)


def test_an_arm_without_candidates(backend: Backend) -> None:
    first = MATCHERS[MATCHERS.index("transform.named_sequence @fill") :]
    anything = first.replace("@fill", "@anything").replace(
        f'  transform.match.operation_name %op ["linalg.fill"] : {ANY}\n', ""
    )
    body = f"  %new = transform.foreach_match in %root @anything -> @act, @other -> @act : ({ANY}) -> {ANY}\n"
    anything = anything[: anything.index("transform.named_sequence @act")]
    matchers = anything + first.replace("@fill", "@other")
    said = [each.message for each in matcher_remarks(explanation(backend, script(body, matchers, "consumed")))]
    assert re.fullmatch(r"`@anything` accepted (\d+) of \1 operations", said[0])
    assert said[1] == "`@other` was tried on no operation: others accept them first, or no operation uses it"


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ('ops{["linalg.matmull"]}', "the payload has no `linalg.matmull`; the nearest is `linalg.matmul`"),
        ('ops{["linalg.generic"]}', "the payload has no `linalg.generic`; it has `linalg.fill` and `linalg.matmul`"),
        (
            'ops{["linalg.matmul"]} attributes {tag = "last"}',
            'the payload has no `linalg.matmul` with `tag = "last"`; there is one with `tag = "first"`',
        ),
    ],
)
def test_why_a_match_finds_nothing(backend: Backend, asked: str, reason: str) -> None:
    text = script(f"  %found = transform.structured.match {asked} in %root : ({ANY}) -> {ANY}\n")
    (found,) = explanation(backend, text).nothing
    assert found.looks_for_payload
    assert lines(found.remark) == [f"script.mlir:3 `%found` holds nothing: {reason}"]


def test_candidates_are_those_at_the_time_of_the_search(backend: Backend) -> None:
    text = script(
        f'  %fills = transform.structured.match ops{{["linalg.fill"]}} in %root : ({ANY}) -> {ANY}\n'
        f"  %generic = transform.structured.generalize %fills : ({ANY}) -> {ANY}\n"
        f'  %again = transform.structured.match ops{{["linalg.fill"]}} in %root : ({ANY}) -> {ANY}\n'
        f"  %none = transform.structured.generalize %again : ({ANY}) -> {ANY}\n"
    )
    first, second = explanation(backend, text).nothing
    assert first.remark.message.startswith("`%again` holds nothing: the payload has no `linalg.fill`")
    assert second.remark.message == "`%none` holds nothing, since `%again` holds nothing"
    assert (first.looks_for_payload, second.looks_for_payload) == (True, False)


def test_matches_outside_of_the_searched_payload(backend: Backend) -> None:
    text = script(
        f'  %fill = transform.structured.match ops{{["linalg.fill"]}} in %root : ({ANY}) -> {ANY}\n'
        f"  %one, %two = transform.split_handle %fill : ({ANY}) -> ({ANY}, {ANY})\n"
        f'  %inside = transform.structured.match ops{{["linalg.matmul"]}} in %one : ({ANY}) -> {ANY}\n'
    )
    (found,) = explanation(backend, text).nothing
    expected = "`%inside` holds nothing: the payload has 1 `linalg.matmul`, but none that is asked for in `%one`"
    assert found.remark.message == expected


def test_successful_searches_are_not_explained(backend: Backend) -> None:
    text = script(f'  %fill = transform.structured.match ops{{["linalg.fill"]}} in %root : ({ANY}) -> {ANY}\n')
    said = explanation(backend, text)
    assert (said.matchers, said.nothing, said.reason) == ((), (), None)


def test_an_inline_payload_has_uncounted_operations(bindings: Backend) -> None:
    large, _ = matcher_remarks(explanation(bindings, script(MATCHING, MATCHERS + PAYLOAD, "consumed"), payload=None))
    assert large.message == "`@large` accepted 1"
    others = large.notes[-1].message
    assert others == "operations fail here: `linalg.fill` or `linalg.matmul` is asked for"


def test_a_run_that_does_not_end_explains_nothing(bindings: Backend) -> None:
    request = RunRequest(script_of(script(MATCHING, MATCHERS, "consumed")), TextFile("payload.mlir", PAYLOAD))
    explanation = explained(RunRequest(request.script, request.payload, limits=Limits(seconds=1e-6)), bindings)
    assert explanation.reason is not None
    assert explanation.matchers == ()


def test_arms_that_get_operations_left_by_others(backend: Backend) -> None:
    named = (
        f"transform.named_sequence @{{}}(%op: {ANY} {{{{transform.readonly}}}}) -> {ANY} {{{{\n"
        f'  transform.match.operation_name %op ["{{}}"] : {ANY}\n'
        f"  transform.match.operation_name %op [{{}}] : {ANY}\n"
        f"  transform.yield %op : {ANY}\n}}}}\n"
    )
    matchers = "".join(
        named.format(name, first, second)
        for name, first, second in (
            ("none", "linalg.matmul", '"linalg.fill"'),
            ("fill", "linalg.fill", '"linalg.fill"'),
            ("other", "func.return", '"linalg.fill"'),
            ("matmul", "linalg.matmul", '"linalg.fill", "linalg.matmul"'),
        )
    )
    actions = MATCHERS[MATCHERS.index("transform.named_sequence @act") :]
    arms = "@none -> @act, @fill -> @act, @other -> @act, @matmul -> @act"
    body = f"  %new = transform.foreach_match in %root {arms} : ({ANY}) -> {ANY}\n"
    found = explanation(backend, script(body, matchers + actions, "consumed"))
    counts = [(report.matcher, report.accepted, report.reached) for report in found.matchers]
    assert counts == [("none", 0, 10), ("fill", 2, 10), ("other", 0, 8), ("matmul", 1, 8)]
    (table,) = found.tables
    assert (table.reached, table.accepted) == ((10, 10, 8, 8), (0, 2, 0, 1))
    candidates = [(candidate.place.line, candidate.accepted) for candidate in table.candidates]
    assert candidates == [(2, 3), (4, 1), (5, 1), (6, None)]
    assert table.others == 6


def test_operations_of_a_project_lead_to_its_sources(bindings: Backend) -> None:
    large, _ = explanation(bindings, script(MATCHING, MATCHERS, "consumed")).matchers
    stop = large.stops[-1]
    condition = stop.condition._replace(asks_for=None, implemented=Place("lib/Match.cpp", 12, 1))
    assert stop.condition.implemented is None
    assert why_stopped(stop._replace(condition=condition)).endswith(" fail here (its condition is in lib/Match.cpp:12)")


IN_LOOP = f"""\
transform.named_sequence @in_loop(%op: {ANY} {{transform.readonly}}) -> {ANY} {{
  transform.match.operation_name %op ["linalg.fill"] : {ANY}
  %loop = transform.get_parent_op %op {{op_name = "scf.for"}} : ({ANY}) -> {ANY}
  transform.yield %op : {ANY}
}}
"""


def test_the_nearest_miss_of_a_matcher(backend: Backend) -> None:
    asking = f"  %loops = transform.collect_matching @in_loop in %root : ({ANY}) -> {ANY}\n"
    (matcher,) = matcher_remarks(explanation(backend, script(asking, IN_LOOP)))
    said = "script.mlir:4 2 operations fail here: `scf.for` is asked for"
    assert lines(matcher)[1:3] == [said, "payload.mlir:4 the first of them"]


def test_the_nearest_miss_of_collecting_matchers_has_its_condition(backend: Backend) -> None:
    asking = f"  %large = transform.collect_matching @huge in %root : ({ANY}) -> {ANY}\n"
    matchers = MATCHERS.replace("@large", "@huge").replace("constant 8", "constant 64")
    (nothing,) = explanation(backend, script(asking, matchers)).nothing
    assert lines(nothing.remark) == [
        (
            "script.mlir:22 `%large` holds nothing: `@huge` accepts none of 11 operations; the nearest miss fails at "
            "`transform.match.param.cmpi`: `4 >= 64` is false"
        ),
        "script.mlir:11 2 operations fail here: for the first, `4 >= 64` is false",
        "payload.mlir:4 the first of them",
    ]
