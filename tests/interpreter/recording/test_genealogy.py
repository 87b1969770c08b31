"""What operations were made from, as locations tell it, checked against attributes that name each operation."""

from __future__ import annotations

import os
import random
import re
from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import QUICK, script_of
from tdls.interpreter.model import RunRequest, Status
from tdls.interpreter.recording.genealogy import LineRelation, Succession
from tdls.interpreter.recording.recording import for_looking_at, recorded

if TYPE_CHECKING:
    from tdls.interpreter.recording.backend import RecordingBackend
    from tdls.interpreter.recording.genealogy import KnownState
    from tdls.interpreter.recording.recording import Recording

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
ANY = "!transform.any_op"
T = "tensor<8x8xf32>"
PAYLOAD = f"""\
  func.func @f(%a: {T}, %b: {T}, %c: {T}) -> ({T}, {T}) {{
    %zero = arith.constant {{id = "zero"}} 0.0 : f32
    %same = arith.constant {{id = "same"}} 0.0 : f32
    %empty = tensor.empty() {{id = "empty"}} : {T}
    %fill = linalg.fill {{id = "fill"}} ins(%zero : f32) outs(%empty : {T}) -> {T}
    %mm = linalg.matmul {{id = "mm"}} ins(%a, %b : {T}, {T}) outs(%fill : {T}) -> {T}
    %add = linalg.add {{id = "add"}} ins(%mm, %c : {T}, {T}) outs(%empty : {T}) -> {T}
    %dead = linalg.mul {{id = "dead"}} ins(%a, %c : {T}, {T}) outs(%empty : {T}) -> {T}
    %other = linalg.fill {{id = "other"}} ins(%same : f32) outs(%empty : {T}) -> {T}
    %sub = linalg.sub {{id = "sub"}} ins(%add, %other : {T}, {T}) outs(%empty : {T}) -> {T}
    return {{id = "return"}} %add, %sub : {T}, {T}
  }}
  func.func @loops(%m: memref<8x8xf32>) {{
    %c0 = arith.constant {{id = "c0"}} 0 : index
    %c1 = arith.constant {{id = "c1"}} 1 : index
    %c8 = arith.constant {{id = "c8"}} 8 : index
    scf.for %i = %c0 to %c8 step %c1 {{
      scf.for %j = %c0 to %c8 step %c1 {{
        %v = memref.load %m[%i, %j] {{id = "load"}} : memref<8x8xf32>
        %w = arith.addf %v, %v {{id = "addf"}} : f32
        memref.store %w, %m[%i, %j] {{id = "store"}} : memref<8x8xf32>
      }} {{id = "inner"}}
    }} {{id = "outer"}}
    return {{id = "end"}}
  }}
"""
_FUNCTION = f'    %f = transform.structured.match ops{{["func.func"]}} in %root : ({ANY}) -> {ANY}\n'


def _match(handle: str, identity: str) -> str:
    return f'    %{handle} = transform.structured.match attributes{{id = "{identity}"}} in %root : ({ANY}) -> {ANY}\n'


def _on(identity: str, operation: str) -> str:
    return _match("x", identity) + f"    {operation}\n"


_FUSED = (
    _match("consumer", "add")
    + f"    %t, %l = transform.structured.tile_using_forall %consumer tile_sizes [4] : ({ANY}) -> ({ANY}, {ANY})\n"
)
_TWO, _THREE, _FOUR = (f": ({ANY}) -> ({', '.join([ANY] * count)})" for count in (2, 3, 4))
_LOOP = '!transform.op<"scf.for">'
_ONE = f": ({ANY}) -> {ANY}"


def _patterns(*names: str) -> str:
    lines = "".join(f"      transform.apply_patterns.{name}\n" for name in names)
    return _FUNCTION + f"    transform.apply_patterns to %f {{\n{lines}    }} : {ANY}\n"


def _pass(name: str) -> str:
    return _FUNCTION + f'    %r = transform.apply_registered_pass "{name}" to %f {_ONE}\n'


TRANSFORMS = {
    "annotate": _on("mm", f'transform.annotate %x "seen" : {ANY}'),
    "tile": _on("mm", f"%t, %l = transform.structured.tile_using_for %x tile_sizes [4] {_TWO}"),
    "tile two loops": _on("mm", f"%t, %l:2 = transform.structured.tile_using_for %x tile_sizes [4, 2] {_THREE}"),
    "tile in parallel": _on("add", f"%t, %l = transform.structured.tile_using_forall %x tile_sizes [4, 4] {_TWO}"),
    "tile for threads": _on("add", f"%t, %l = transform.structured.tile_using_forall %x num_threads [2] {_TWO}"),
    "tile a fill": _on("fill", f"%t, %l = transform.structured.tile_using_for %x tile_sizes [0, 4] {_TWO}"),
    "tile what does not fit": _on("mm", f"%t, %l = transform.structured.tile_using_for %x tile_sizes [3] {_TWO}"),
    "tile a reduction": _on(
        "mm", f"%a, %b, %c, %d = transform.structured.tile_reduction_using_for %x by tile_sizes = [0, 0, 4] {_FOUR}"
    ),
    "split a reduction": _on(
        "mm",
        "%a, %b, %c, %d = transform.structured.split_reduction %x"
        f" {{split_factor = 4, insert_split_dimension = 0}} {_FOUR}",
    ),
    "fuse into": _FUSED
    + _match("p", "mm")
    + f"    %g, %n = transform.structured.fuse_into_containing_op %p into %l : ({ANY}, {ANY}) -> ({ANY}, {ANY})\n",
    "fuse twice": _FUSED
    + _match("p", "mm")
    + f"    %g, %n = transform.structured.fuse_into_containing_op %p into %l : ({ANY}, {ANY}) -> ({ANY}, {ANY})\n"
    + _match("q", "fill")
    + f"    %h, %o = transform.structured.fuse_into_containing_op %q into %n : ({ANY}, {ANY}) -> ({ANY}, {ANY})\n",
    "fuse all": _on("sub", f"%t, %l = transform.structured.fuse %x tile_sizes [4] {_TWO}"),
    "vectorize": _on("mm", f"transform.structured.vectorize %x : {ANY}"),
    "vectorize an addition": _on("add", f"transform.structured.vectorize %x : {ANY}"),
    "vectorize a function": _FUNCTION
    + f"    %v = transform.structured.vectorize_children_and_apply_patterns %f {_ONE}\n",
    "tile and vectorize": _on("mm", f"%t, %l = transform.structured.tile_using_for %x tile_sizes [4] {_TWO}")
    + f"    transform.structured.vectorize %t : {ANY}\n",
    "generalize": _on("mm", f"%g = transform.structured.generalize %x {_ONE}"),
    "interchange": _on("add", f"%g = transform.structured.generalize %x {_ONE}")
    + f"    %i = transform.structured.interchange %g iterator_interchange = [1, 0] {_ONE}\n",
    "specialize": _on("add", f"%g = transform.structured.generalize %x {_ONE}")
    + f"    %i = transform.structured.specialize %g {_ONE}\n",
    "transpose a product": _on("mm", f"%g = transform.structured.transpose_matmul %x {_ONE}"),
    "convert to loops": _FUNCTION
    + "    %b = transform.bufferization.one_shot_bufferize %root"
    + f" {{bufferize_function_boundaries = true}} {_ONE}\n"
    + f'    %y = transform.structured.match attributes{{id = "mm"}} in %b {_ONE}\n'
    + f"    %l = transform.structured.convert_to_loops %y {_ONE}\n",
    "canonicalize": _patterns("canonicalization"),
    "tiling patterns": _patterns("linalg.tiling_canonicalization", "tensor.fold_tensor_empty"),
    "dead code": _FUNCTION + f"    transform.apply_dce to %f : {ANY}\n",
    "common expressions": _FUNCTION + f"    transform.apply_cse to %f : {ANY}\n",
    "invariants": _on("outer", f"transform.apply_licm to %x : {ANY}"),
    "unroll": _on("inner", f"transform.loop.unroll %x {{factor = 4}} : {ANY}"),
    "unroll all": _on("inner", f"transform.loop.unroll %x {{factor = 8}} : {ANY}"),
    "peel": _on("inner", f"%y = transform.cast %x : {ANY} to {_LOOP}")
    + f"    %m, %r = transform.loop.peel %y {{peel_front = true}} : ({_LOOP}) -> ({ANY}, {ANY})\n",
    "outline": _on("inner", f'%o, %p = transform.loop.outline %x {{func_name = "outlined"}} {_TWO}'),
    "coalesce": _on("outer", f"%m = transform.loop.coalesce %x {_ONE}"),
    "unroll and jam": _on("outer", f"transform.loop.unroll_and_jam %x {{factor = 2}} : {ANY}"),
    "pass canonicalize": _pass("canonicalize"),
    "pass cse": _pass("cse"),
    "pass to control flow": _pass("convert-scf-to-cf"),
    "pass generalize": _pass("linalg-generalize-named-ops"),
    "bufferize": "    %b = transform.bufferization.one_shot_bufferize %root"
    f" {{bufferize_function_boundaries = true}} {_ONE}\n",
}
_IDENTITY = re.compile(r'\bid = "(\w+)"')


def module(steps: str) -> str:
    script = f"  transform.named_sequence @__transform_main(%root: {ANY}) {{\n{steps}    transform.yield\n  }}\n"
    return f"module attributes {{transform.with_named_sequence}} {{\n{PAYLOAD}{script}}}\n"


def record(backend: RecordingBackend, steps: str) -> Recording:
    request = RunRequest(script_of(module(steps)), limits=QUICK)
    return recorded(backend, request, for_looking_at(request))


def known(recording: Recording) -> list[KnownState]:
    states = recording.tell_apart(range(len(recording.passings)))
    return [states[passing] for passing in range(len(recording.passings))]


def first_line(states: list[KnownState], passing: int, line: int) -> tuple[int | None, bool]:
    """Return the line that one of a state was in the beginning, and whether MLIR said so at each step."""
    found: int | None = line
    is_exact = True
    for number in range(passing, 0, -1):
        if found is None:
            break
        link = Succession(states[number - 1], states[number]).back(found)
        found, is_exact = link.line, is_exact and link.is_exact
    return found, is_exact


def identity(line: str) -> str | None:
    found = _IDENTITY.search(line)
    return found[1] if found is not None else None


@pytest.mark.parametrize("name", TRANSFORMS)
def test_operations_are_made_from_those_with_their_attribute(name: str, bindings: RecordingBackend) -> None:
    recording = record(bindings, TRANSFORMS[name])
    assert recording.result.status is Status.SUCCESS, recording.result.diagnostics
    states = known(recording)
    recording.close()
    beginning, end = states[0].text.splitlines(), states[-1].text.splitlines()
    named = [line for line, text in enumerate(end) if identity(text) is not None]
    assert named
    for line in named:
        first, is_exact = first_line(states, len(states) - 1, line)
        assert is_exact or "arith.constant" in end[line]  # MLIR's folder takes the location of constants away
        assert first is not None or not is_exact, end[line]
        assert first is None or identity(beginning[first]) == identity(end[line])


@pytest.mark.parametrize("name", TRANSFORMS)
def test_lines_of_what_handles_hold(name: str, bindings: RecordingBackend) -> None:
    """The operations that are named so, with the attribute by which they were looked for."""
    recording = record(bindings, TRANSFORMS[name])
    states = known(recording)
    recording.close()
    checked = 0
    for passing, state in enumerate(states):
        told = recording.known_state(passing)
        lines = state.text.splitlines()
        for handle in told.handles if told is not None else ():
            if handle.contents is None or handle.key not in state.held:
                continue
            names = [lines[state.lines[operation][0]] for operation in state.held[handle.key]]
            wanted = [item.name.removeprefix("builtin.").removeprefix("func.") for item in handle.contents.items]
            assert len(names) == len(wanted)
            assert all(word in line for word, line in zip(wanted, names, strict=True)), (handle.name, names)
            checked += 1
    assert checked >= len(states)


def test_the_fused_operation_is_not_the_one_that_is_dead(bindings: RecordingBackend) -> None:
    recording = record(bindings, TRANSFORMS["fuse into"])
    states = known(recording)
    recording.close()
    handles = recording.known_state(len(states) - 1)
    assert handles is not None
    fused = next(handle for handle in handles.handles if handle.name == "%g")
    [operation] = states[-1].held[fused.key]
    lines = states[-1].text.splitlines()
    [loop] = [line for line, text in enumerate(lines) if "scf.forall" in text and "in_parallel" not in text]
    others = [line for line, text in enumerate(lines) if 'id = "mm"' in text]
    assert [line > loop for line in others] == [False, True]
    assert list(states[-1].lines[operation]) == others[1:]


def test_what_became_of_an_operation(bindings: RecordingBackend) -> None:
    recording = record(bindings, TRANSFORMS["unroll"])
    states = known(recording)
    recording.close()
    succession = Succession(states[-2], states[-1])
    before, after = states[-2].text.splitlines(), states[-1].text.splitlines()
    line = next(number for number, text in enumerate(before) if 'id = "addf"' in text)
    links = succession.forth(line)
    assert [link.line for link in links] == [number for number, text in enumerate(after) if 'id = "addf"' in text]
    assert len(links) == 4
    assert all(link.is_exact for link in links)
    dead = next(number for number, text in enumerate(before) if 'id = "dead"' in text)
    assert [link.relation for link in succession.forth(dead)] == [LineRelation.SAME]


def test_what_is_gone_became_nothing(bindings: RecordingBackend) -> None:
    recording = record(bindings, TRANSFORMS["dead code"])
    states = known(recording)
    recording.close()
    line = next(number for number, text in enumerate(states[-2].text.splitlines()) if 'id = "dead"' in text)
    assert Succession(states[-2], states[-1]).forth(line) == ()


def test_lines_against_all_states(bindings: RecordingBackend) -> None:
    """Of 200 random lines of random states: a line is there since the step that is said to have made it."""
    steps = TRANSFORMS["fuse twice"] + _patterns("canonicalization") + f"    transform.apply_cse to %f : {ANY}\n"
    recording = record(bindings, steps)
    assert recording.result.status is Status.SUCCESS, recording.result.diagnostics
    states = known(recording)
    recording.close()
    chance = random.Random(0)
    for _ in range(200):
        passing = chance.randrange(len(states))
        line = chance.randrange(len(states[passing].text.splitlines()))
        _check_history(states, passing, line)


def _check_history(states: list[KnownState], passing: int, line: int) -> None:
    """Go back as long as it is the same operation; each of these states has a line that begins it, in words alike."""
    for number in range(passing, 0, -1):
        before, after = states[number - 1], states[number]
        link = Succession(before, after).back(line)
        mine = after.text.splitlines()[line]
        if link.line is None:
            assert link.relation is LineRelation.MADE
            assert (
                mine not in before.text.splitlines()
                or not link.is_exact
                or before.text.count(mine) < after.text.count(mine)
            )
            return
        theirs = before.text.splitlines()[link.line]
        if link.relation is LineRelation.SAME:
            assert _without_names(mine) == _without_names(theirs)
        if link.relation is LineRelation.CHANGED and link.is_exact:
            assert _operation(mine) == _operation(theirs)
        if link.relation is LineRelation.DERIVED:
            return
        line = link.line


def _without_names(line: str) -> str:
    return re.sub(r"%[\w$.#-]+|#map\d*|\^bb\d+", "%", line)


def _operation(line: str) -> str | None:
    found = re.match(r"\s*(?:%[^=]*= )?([\w.]+|\W)", line)
    return found[1] if found is not None else None
