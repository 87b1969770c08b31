"""Values keep the names of the payload's text; what a step derives has those of MLIR."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from interpreter.scripts import MATCH, QUICK, TILE, script_of, sequence
from tdls.interpreter.observing.records import Wanted
from tdls.interpreter.recording.recording import recorded
from tdls.interpreter.runs.model import Emit, RunRequest, TextFile
from tdls.interpreter.session import Session
from tdls.structs import replace

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend

TENSOR = "tensor<8x8xf32>"
PAYLOAD = f"""\
func.func @f(%lhs: {TENSOR},
             %size: index {{my.note = "größe"}}, %n: index) -> ({TENSOR}, index, index) {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %filled = linalg.fill ins(%zero : f32)
                        outs(%lhs : {TENSOR}) -> {TENSOR}
  %prod = linalg.matmul ins(%lhs, %filled : {TENSOR}, {TENSOR}) outs(%filled : {TENSOR}) -> {TENSOR}
  %sum, %3:2 = scf.for %i = %c0 to %n step %n
      iter_args(%a = %prod, %b = %n, %c = %n) -> ({TENSOR}, index, index) {{
    %prod_0 = "my.op"(%a) {{text = "%i {{"}} : ({TENSOR}) -> {TENSOR}
    scf.yield %prod_0, %c, %i : {TENSOR}, index, index
  }}
  scf.for %i = %c0 to %n step %n {{
    %pair:2 = "my.pair"(%i) ({{
    ^bb0(%in: index):
      "my.end"(%in, %sum) : (index, {TENSOR}) -> ()
    }}) : (index) -> (index, index)
    "my.use"(%pair#1) : (index) -> ()
  }}
  %own = "my.own"() : () -> index loc("model.py":3:7)
  return %sum, %3#0, %3#1 : {TENSOR}, index, index
}}
"""
NAMED = set(re.findall(r"%[A-Za-z]\w*(?=[:, ])(?! \{)", PAYLOAD)) - {"%own"}
SCRIPT = sequence(MATCH + TILE, "")


def request(**more: object) -> RunRequest:
    return RunRequest(script_of(SCRIPT), TextFile("payload.mlir", PAYLOAD), limits=QUICK, **more)  # type: ignore[arg-type]


def reprinted(backend: Backend, text: str) -> str:
    plain = replace(request(emits=frozenset({Emit.BEFORE})), payload=TextFile("text.mlir", text), keeps_names=False)
    return backend.run(plain).texts[Emit.BEFORE]


def test_names_stay_and_mean_the_same(backend: Backend) -> None:
    emits = frozenset({Emit.PAYLOAD, Emit.BEFORE})
    named, plain = (backend.run(request(emits=emits, keeps_names=keeps)).texts for keeps in (True, False))
    for emit, derived in ((Emit.BEFORE, set()), (Emit.PAYLOAD, {"%extracted_slice", "%extracted_slice_0", "%c0_0"})):
        names = set(re.findall(r"%[A-Za-z][\w]*", named[emit]))
        assert names >= NAMED | derived
        assert reprinted(backend, named[emit]) == reprinted(backend, plain[emit]) == plain[emit]
    assert "%prod = linalg.matmul ins(%extracted_slice" in named[Emit.PAYLOAD]
    assert "scf.for %i = %c0 to %n step %n iter_args(%a = " in named[Emit.PAYLOAD]
    assert "%pair:2" in named[Emit.PAYLOAD]
    assert '"%i {"' in named[Emit.PAYLOAD]
    assert "%own" not in named[Emit.BEFORE], "the place of an operation with a location of its own is not known"
    assert "%lhs" not in plain[Emit.BEFORE]


def test_states_sessions_and_stopped_runs_have_them_too(backend: Backend) -> None:
    recording = recorded(backend, request(), Wanted.every())
    last = recording.text(len(recording.passings) - 1)
    assert last == backend.run(request()).texts[Emit.PAYLOAD]
    stopped = backend.run(request(until=SCRIPT.index("transform.yield") - 6))
    assert stopped.texts[Emit.PAYLOAD] == last
    with Session(PAYLOAD, backend=backend.name if "opt" in backend.name else "bindings") as session:
        attempt = session.run(SCRIPT)
        assert attempt.state is not None
        assert attempt.state.payload == last
