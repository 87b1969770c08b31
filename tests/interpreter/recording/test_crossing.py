"""Each construct that runs a named sequence, in the script, in a library, and in a library of that one.

On each backend, an observed run has the result of a plain one, and all of its steps are recorded.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import QUICK, script_of
from tdls.interpreter.matching.explanation import explained
from tdls.interpreter.recording.recording import recorded
from tdls.interpreter.runs.model import Emit, RunRequest, Status, TextFile

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend

ANY = "!transform.any_op"
MATCHER = f"""\
  transform.named_sequence @is_constant(%op: {ANY} {{transform.readonly}}) -> {ANY} {{
    transform.match.operation_name %op ["arith.constant"] : {ANY}
    transform.yield %op : {ANY}
  }}
"""
ACTION = f"""\
  transform.named_sequence @mark(%op: {ANY} {{transform.readonly}}) {{
    transform.annotate %op "seen" : {ANY}
    transform.yield
  }}
"""
DECLARED = {
    MATCHER: f"  transform.named_sequence private @is_constant({ANY} {{transform.readonly}}) -> {ANY}\n",
    ACTION: f"  transform.named_sequence private @mark({ANY} {{transform.readonly}})\n",
}
BODIES = {
    "foreach_match": (
        (MATCHER, ACTION),
        f"    %0 = transform.foreach_match in %root @is_constant -> @mark : ({ANY}) -> {ANY}\n",
    ),
    "collect_matching": (
        (MATCHER,),
        (
            f"    %0 = transform.collect_matching @is_constant in %root : ({ANY}) -> {ANY}\n"
            f'    transform.annotate %0 "seen" : {ANY}\n'
        ),
    ),
    "include": (
        (ACTION,),
        (
            f'    %0 = transform.structured.match ops{{["arith.constant"]}} in %root : ({ANY}) -> {ANY}\n'
            f"    transform.include @mark failures(propagate) (%0) : ({ANY}) -> ()\n"
        ),
    ),
    "foreach": (
        (ACTION,),
        (
            f'    %0 = transform.structured.match ops{{["arith.constant"]}} in %root : ({ANY}) -> {ANY}\n'
            f"    transform.foreach %0 : {ANY} {{\n    ^bb0(%each: {ANY}):\n"
            f"      transform.include @mark failures(propagate) (%each) : ({ANY}) -> ()\n    }}\n"
        ),
    ),
}
PAYLOAD = """\
module {
  func.func @f() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    return
  }
}
"""
PLACES = ("script", "library", "library of a library")


def module(*parts: str) -> str:
    return "module attributes {transform.with_named_sequence} {\n" + "".join(parts) + "}\n"


def main_of(body: str, name: str = "__transform_main", marks: str = "") -> str:
    return f"  transform.named_sequence @{name}(%root: {ANY}{marks}) {{\n{body}    transform.yield\n  }}\n"


def request_of(construct: str, place: str) -> RunRequest:
    sequences, body = BODIES[construct]
    declared = [DECLARED[sequence] for sequence in sequences]
    payload = TextFile("payload.mlir", PAYLOAD)
    if place == "script":
        return RunRequest(script_of(module(*sequences, main_of(body))), payload=payload, limits=QUICK)
    own = script_of(module(*sequences), "own.mlir")
    if place == "library":
        return RunRequest(script_of(module(*declared, main_of(body))), payload=payload, libraries=(own,), limits=QUICK)
    marks = " {transform.consumed}" if construct == "foreach_match" else " {transform.readonly}"
    between = script_of(module(*declared, main_of(body, "between", marks)), "between.mlir")
    call = f"    transform.include @between failures(propagate) (%root) : ({ANY}) -> ()\n"
    declaration = f"  transform.named_sequence private @between({ANY}{marks})\n"
    script = script_of(module(declaration, main_of(call)))
    return RunRequest(script, payload=payload, libraries=(between, own), limits=QUICK)


@pytest.mark.parametrize(("construct", "place"), list(product(BODIES, PLACES)))
def test_observed_runs_are_plain_ones(construct: str, place: str, backend: Backend) -> None:
    request = request_of(construct, place)
    plain = backend.run(request)
    assert plain.status is Status.SUCCESS, plain.diagnostics
    assert plain.texts[Emit.PAYLOAD].count("seen") == 2
    recording = recorded(backend, request)
    assert recording.result.unobserved == ""
    assert recording.result.texts[Emit.PAYLOAD] == plain.texts[Emit.PAYLOAD]
    names = {step.operation for step in recording.steps}
    assert f"transform.{construct}" in names
    assert "transform.annotate" in names


@pytest.mark.parametrize("place", PLACES)
def test_matchers_are_explained_wherever_they_are(place: str, backend: Backend) -> None:
    request = request_of("foreach_match", place)
    explanation = explained(request, backend)
    assert [(report.matcher, report.accepted) for report in explanation.matchers] == [("is_constant", 2)]
