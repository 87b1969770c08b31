"""What runs tell of handles; that they tell it changes nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from interpreter.corpus.scripts import Script, scripts
from interpreter.scripts import MATCH, PAYLOAD, TILE, run, sequence
from interpreter.steps import FAILING, SUCCEEDING
from oracle.run_agreement import request_of
from tdls.interpreter.model import Emit, HandleKind, Place, Status, TextFile

if TYPE_CHECKING:
    from tdls.interpreter.backends import Backend
    from tdls.interpreter.model import HandleContents, RunResult

ALL = frozenset(Emit)
ANY = "!transform.any_op"
BODIES = {**SUCCEEDING, **FAILING}


def without_observations(result: RunResult) -> RunResult:
    """Return what a run gives that is not observed."""
    return replace(result, handles=(), origins=(), running=None, seconds=0.0)


def contents(result: RunResult, text: str) -> dict[str, list[dict[str, int]]]:
    """Return the names in each moment by how the handle is written where it is defined."""
    return {_shown(handle, text): [moment.names for moment in handle.moments] for handle in result.handles}


def _shown(handle: HandleContents, text: str) -> str:
    name = text[handle.start : handle.end]
    return name if handle.number is None else f"{name.partition(':')[0]}#{handle.number}"


@pytest.mark.parametrize("name", BODIES)
def test_observing_changes_nothing(name: str, bindings: Backend) -> None:
    text = sequence(BODIES[name])
    plain, observed = run(bindings, text, emits=ALL), run(bindings, text, emits=ALL, observe=True)
    assert without_observations(observed) == without_observations(plain)
    assert observed.handles


@pytest.mark.parametrize("script", scripts()[::6], ids=lambda script: script.name)
def test_observing_changes_nothing_in_the_corpus(script: Script, bindings: Backend) -> None:
    request = request_of(script, *Emit)
    plain, observed = bindings.run(request), bindings.run(replace(request, observe=True))
    assert without_observations(observed) == without_observations(plain)
    lines = observed.texts.get(Emit.PAYLOAD, "").splitlines()
    assert len(observed.origins) in (0, len(lines))


def test_operations(bindings: Backend) -> None:
    text = sequence(MATCH + TILE)
    result = run(bindings, text, observe=True)
    assert contents(result, text) == {
        "%root": [{"builtin.module": 1}],
        "%matmul": [{"linalg.matmul": 1}],
        "%tiled": [{"linalg.matmul": 1}],
        "%loop": [{"scf.for": 1}],
    }
    matmul = result.handles[1]
    assert (matmul.kind, matmul.executions, matmul.moments[0].count) == (HandleKind.OPERATIONS, 1, 1)
    assert matmul.moments[0].items[0].place == Place("script.mlir", 3, "    %0 = linalg".index("linalg") + 1)


def test_groups_of_results(bindings: Backend) -> None:
    text = sequence(SUCCEEDING["tile_all"])
    assert contents(run(bindings, text, observe=True), text)["%l#2"] == [{"scf.for": 1}]


def test_values_and_parameters(bindings: Backend) -> None:
    text = sequence(SUCCEEDING["values"] + "    %p = transform.param.constant 4 : i64 -> !transform.param<i64>\n")
    result = run(bindings, text, observe=True)
    found = contents(result, text)
    assert (found["%value"], found["%result"], found["%p"]) == (
        [{"func.func": 1}],
        [{"linalg.matmul": 1}],
        [{"4 : i64": 1}],
    )
    assert [handle.kind for handle in result.handles[2:]] == [*[HandleKind.VALUES] * 2, HandleKind.PARAMETERS]


def test_empty_handles_and_those_that_are_never_reached(bindings: Backend) -> None:
    text = sequence(MATCH.replace("linalg.matmul", "linalg.copy") + FAILING["wrong count"])
    empty, found, *never = run(bindings, text.replace("%matmul", "%none", 1), observe=True).handles[1:]
    assert (empty.executions, empty.moments[0].count) == (1, 0)
    assert (found.executions, found.moments[0].count) == (1, 1)
    assert [(handle.executions, handle.moments) for handle in never] == [(0, ()), (0, ())]


def test_many_moments(bindings: Backend) -> None:
    body = f"""\
    %all = transform.structured.match ops{{["arith.constant"]}} in %root : ({ANY}) -> {ANY}
    transform.foreach %all : {ANY} {{
    ^bb0(%each: {ANY}):
      %parent = transform.get_parent_op %each : ({ANY}) -> {ANY}
    }}
"""
    constants = "".join(f"    %c{number} = arith.constant {number} : index\n" for number in range(300))
    text = sequence(body, f"  func.func @f() {{\n{constants}    return\n  }}\n")
    _, constant, each, parent = run(bindings, text, observe=True).handles
    assert (constant.moments[0].count, constant.moments[0].names) == (300, {"arith.constant": 300})
    assert len(constant.moments[0].items) == 200
    assert (each.executions, len(each.moments), parent.executions) == (300, 16, 300)


def test_libraries(bindings: Backend) -> None:
    library = TextFile("lib.mlir", sequence(MATCH + TILE, "").replace("__transform_main", "helper"))
    declaration = f"  transform.named_sequence private @helper({ANY} {{transform.readonly}})\n"
    text = sequence(
        f"    transform.include @helper failures(propagate) (%root) : ({ANY}) -> ()\n", PAYLOAD + declaration
    )
    result = run(bindings, text, libraries=(library,), observe=True)
    assert without_observations(result) == without_observations(run(bindings, text, libraries=(library,)))
    assert [handle.file for handle in result.handles] == ["script.mlir", *["lib.mlir"] * 4]
    assert contents(result, library.text)["%loop"] == [{"scf.for": 1}]


def test_matchers_are_left_alone(bindings: Backend) -> None:
    text = sequence(f"    %r = transform.foreach_match in %root @is_matmul -> @act : ({ANY}) -> {ANY}\n").replace(
        "readonly", "consumed", 1
    )
    text = (
        text.rstrip().removesuffix("}")
        + f"""\
  transform.named_sequence @is_matmul(%candidate: {ANY} {{transform.readonly}}) -> {ANY} {{
    transform.match.operation_name %candidate ["linalg.matmul"] : {ANY}
    transform.yield %candidate : {ANY}
  }}
  transform.named_sequence @act(%found: {ANY} {{transform.readonly}}) {{ transform.yield }}
}}
"""
    )
    result = run(bindings, text, observe=True)
    assert result.status is Status.SUCCESS, result.diagnostics
    assert contents(result, text) == {
        "%root": [{"builtin.module": 1}],
        "%r": [{"builtin.module": 1}],
        "%found": [{"linalg.matmul": 1}],
    }


def test_script_that_looks_at_itself(bindings: Backend) -> None:
    text = sequence(
        f"    %all = transform.structured.match in %root : ({ANY}) -> {ANY}\n    transform.print %all : {ANY}\n"
    )
    observed = run(bindings, text, observe=True)
    assert without_observations(observed) == without_observations(run(bindings, text))


def test_script_that_tries_its_own_operations_on_a_matcher(bindings: Backend) -> None:
    text = sequence(f"    %r = transform.foreach_match in %root @any -> @act : ({ANY}) -> {ANY}\n")
    text = (
        text.replace("readonly", "consumed", 1).rstrip().removesuffix("}")
        + f"""\
  transform.named_sequence @any(%candidate: {ANY} {{transform.readonly}}) {{ transform.yield }}
  transform.named_sequence @act() {{
    %p = transform.param.constant 1 : i64 -> !transform.param<i64>
    transform.debug.emit_param_as_remark %p, "here" : !transform.param<i64>
    transform.yield
  }}
}}
"""
    )
    observed = run(bindings, text, observe=True)
    assert observed.diagnostics
    assert without_observations(observed) == without_observations(run(bindings, text))
    assert observed.handles == ()


def test_nothing_is_known_of_a_script_that_cannot_be_read(bindings: Backend) -> None:
    text = sequence("    %m = transform.nope %root : () -> !transform.any_op\n")
    observed = run(bindings, text, observe=True)
    assert observed.status is Status.INVALID
    assert without_observations(observed) == without_observations(run(bindings, text))
