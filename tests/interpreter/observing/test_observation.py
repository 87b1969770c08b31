"""Runs report the payload of handles; the observation does not change their results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter import generated_scripts
from interpreter.scripts import MATCH, PAYLOAD, TILE, run, script_of, sequence
from oracle.run_agreement import request_of
from oracle.run_corpus.scripts import Script, scripts
from samples import every, some
from tdls.interpreter.runs.model import Emit, Place, Status
from tdls.semantic.handle_types import HandleKind
from tdls.structs import replace
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import Contents, HandleContents, RunResult

ALL = frozenset(Emit)
ANY = "!transform.any_op"
TILE_ALL = f"""\
    %t, %l:3 = transform.structured.tile_using_for %matmul tile_sizes [4, 2, 8] interchange = [1, 0, 2]
      : ({ANY}) -> ({ANY}, {ANY}, {ANY}, {ANY})
"""
VALUES = f"""\
    %value = transform.get_operand %matmul[0] : ({ANY}) -> !transform.any_value
    %result = transform.get_result %matmul[0] : ({ANY}) -> !transform.any_value
    %p = transform.param.constant 4 : i64 -> !transform.param<i64>
"""
WRONG_COUNT = f"    %a, %b = transform.split_handle %matmul : ({ANY}) -> ({ANY}, {ANY})\n"


def without_observations(result: RunResult) -> RunResult:
    """Return the result of a run that is not observed; MLIR's last words in a crash have names of temporary files."""
    return replace(result, handles=(), origins=(), executing=(), console="", seconds=0.0, unobserved="")


def contents(result: RunResult, text: str) -> dict[str, list[dict[str, int]]]:
    """Return the names in each snapshot by how the handle is written where it is defined."""
    names = {}
    for handle in result.handles:
        name, number = text[handle.start : handle.end], handle.number
        shown = name if number is None else f"{name.partition(':')[0]}#{number}"
        names[shown] = [snapshot.names for snapshot in handle.snapshots]
    return names


@pytest.mark.parametrize("script", scripts()[::6], ids=lambda script: script.name)
def test_observing_changes_nothing_in_the_corpus(script: Script, bindings: Backend) -> None:
    request = request_of(script, *Emit)
    plain, observed = bindings.run(request), bindings.run(replace(request, observe=True))
    assert without_observations(observed) == without_observations(plain)
    lines = observed.texts.get(Emit.PAYLOAD, "").splitlines()
    assert len(observed.origins) in (0, len(lines))


@pytest.mark.parametrize("script", scripts()[5::60], ids=lambda script: script.name)
@pytest.mark.parametrize("form", ["generic", "with locations", "on one line"])
def test_observing_changes_nothing_however_a_script_is_written(form: str, script: Script, bindings: Backend) -> None:
    ir = require_bindings().ir
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        operation = ir.Module.parse(script.text).operation
        flags = {"use_local_scope": form == "on one line", "enable_debug_info": form != "generic"}
        written: str = operation.get_asm(print_generic_op_form=form != "with locations", **flags)
    text = written.replace("\n", " ") if form == "on one line" else written
    request = replace(request_of(script, *Emit), script=script_of(text))
    plain, observed = bindings.run(request), bindings.run(replace(request, observe=True))
    assert without_observations(observed) == without_observations(plain)
    assert bool(observed.handles) is (plain.status is not Status.INVALID)


@pytest.mark.parametrize("seed", range(some(40)))
def test_observing_changes_nothing_of_generated_scripts(seed: int, bindings: Backend) -> None:
    text = generated_scripts.script(seed)
    plain, observed = run(bindings, text, emits=ALL), run(bindings, text, emits=ALL, observe=True)
    assert without_observations(observed) == without_observations(plain)
    assert bool(observed.handles) is (plain.status is not Status.INVALID)


@pytest.mark.parametrize("script", scripts()[3 :: every(40)], ids=lambda script: script.name)
def test_tools_and_bindings_observe_the_same(script: Script, bindings: Backend, tool: Backend) -> None:
    request = replace(request_of(script, *Emit), observe=True)
    ours, theirs = bindings.run(request), tool.run(request)
    assert without_observations(theirs) == without_observations(tool.run(replace(request, observe=False)))
    if (ours.status, ours.texts) == (theirs.status, theirs.texts):
        assert list(map(_known_to_tools, theirs.handles)) == list(map(_known_to_tools, ours.handles))
        assert theirs.origins == ours.origins


def _known_to_tools(handle: HandleContents) -> HandleContents:
    """Return `handle` without the names of values, and with items in the order of their names and places."""
    has_names = handle.kind is not HandleKind.VALUES

    def known(contents: Contents) -> Contents:
        items = (replace(item, name=item.name if has_names else "") for item in contents.items)
        return replace(contents, names=contents.names if has_names else {}, items=tuple(sorted(items, key=str)))

    return replace(handle, snapshots=tuple(map(known, handle.snapshots)))


def test_tool_tells_names_where_they_are_few(tool: Backend) -> None:
    constants = "".join(f"    %c{number} = arith.constant {number} : index\n" for number in range(1500))
    body = f"""\
    %all = transform.structured.match ops{{["arith.constant"]}} in %root : ({ANY}) -> {ANY}
    %return = transform.structured.match ops{{["func.return"]}} in %root : ({ANY}) -> {ANY}
"""
    text = sequence(body, f"  func.func @f() {{\n{constants}    return\n  }}\n")
    _, every, single = run(tool, text, observe=True).handles
    assert (every.snapshots[0].count, every.snapshots[0].names, len(every.snapshots[0].items)) == (1500, {}, 200)
    assert every.snapshots[0].items[0].place == Place("script.mlir", 3, 11)
    assert single.snapshots[0].names == {"func.return": 1}


def test_operations(backend: Backend) -> None:
    text = sequence(MATCH + TILE)
    result = run(backend, text, observe=True)
    assert contents(result, text) == {
        "%root": [{"builtin.module": 1}],
        "%matmul": [{"linalg.matmul": 1}],
        "%tiled": [{"linalg.matmul": 1}],
        "%loop": [{"scf.for": 1}],
    }
    matmul = result.handles[1]
    assert (matmul.kind, matmul.executions, matmul.snapshots[0].count) == (HandleKind.OPERATIONS, 1, 1)
    assert matmul.snapshots[0].items[0].place == Place("script.mlir", 3, "    %0 = linalg".index("linalg") + 1)


def test_groups_of_results(backend: Backend) -> None:
    text = sequence(MATCH + TILE_ALL)
    assert contents(run(backend, text, observe=True), text)["%l#2"] == [{"scf.for": 1}]


def test_values_and_parameters(backend: Backend) -> None:
    text = sequence(MATCH + VALUES)
    result = run(backend, text, observe=True)
    counts = [handle.snapshots[0].count for handle in result.handles]
    places = [handle.snapshots[0].items[0].place for handle in result.handles[2:]]
    assert (counts, contents(result, text)["%p"]) == ([1] * 5, [{"4 : i64": 1}])
    assert places == [Place("script.mlir", 2, 16), Place("script.mlir", 3, 10), None]
    assert [handle.kind for handle in result.handles[2:]] == [*[HandleKind.VALUES] * 2, HandleKind.PARAMETERS]


def test_empty_handles_and_those_that_are_never_reached(backend: Backend) -> None:
    text = sequence(MATCH.replace("linalg.matmul", "linalg.copy") + MATCH + WRONG_COUNT)
    empty, found, *never = run(backend, text.replace("%matmul", "%none", 1), observe=True).handles[1:]
    assert (empty.executions, empty.snapshots[0].count) == (1, 0)
    assert (found.executions, found.snapshots[0].count) == (1, 1)
    assert [(handle.executions, handle.snapshots) for handle in never] == [(0, ()), (0, ())]


def test_many_moments(backend: Backend) -> None:
    body = f"""\
    %all = transform.structured.match ops{{["arith.constant"]}} in %root : ({ANY}) -> {ANY}
    transform.foreach %all : {ANY} {{
    ^bb0(%each: {ANY}):
      %parent = transform.get_parent_op %each : ({ANY}) -> {ANY}
    }}
"""
    constants = "".join(f"    %c{number} = arith.constant {number} : index\n" for number in range(300))
    text = sequence(body, f"  func.func @f() {{\n{constants}    return\n  }}\n")
    _, constant, each, parent = run(backend, text, observe=True).handles
    assert (constant.snapshots[0].count, constant.snapshots[0].names) == (300, {"arith.constant": 300})
    assert len(constant.snapshots[0].items) == 200
    assert (each.executions, len(each.snapshots), parent.executions) == (300, 16, 300)


def test_libraries(backend: Backend) -> None:
    library = script_of(sequence(MATCH + TILE, "").replace("__transform_main", "helper"), "lib.mlir")
    declaration = f"  transform.named_sequence private @helper({ANY} {{transform.readonly}})\n"
    text = sequence(
        f"    transform.include @helper failures(propagate) (%root) : ({ANY}) -> ()\n", PAYLOAD + declaration
    )
    result = run(backend, text, libraries=(library,), observe=True)
    assert without_observations(result) == without_observations(run(backend, text, libraries=(library,)))
    assert [handle.file for handle in result.handles] == ["script.mlir", *["lib.mlir"] * 4]
    assert contents(result, library.text)["%loop"] == [{"scf.for": 1}]


def test_matchers_are_left_alone(backend: Backend) -> None:
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
    result = run(backend, text, observe=True)
    assert result.status is Status.SUCCESS, result.diagnostics
    assert contents(result, text) == {
        "%root": [{"builtin.module": 1}],
        "%r": [{"builtin.module": 1}],
        "%found": [{"linalg.matmul": 1}],
    }


def test_script_that_looks_at_itself(backend: Backend) -> None:
    text = sequence(
        f"    %all = transform.structured.match in %root : ({ANY}) -> {ANY}\n    transform.print %all : {ANY}\n"
    )
    observed = run(backend, text, observe=True)
    assert without_observations(observed) == without_observations(run(backend, text))


def test_script_that_tries_its_own_operations_on_a_matcher(backend: Backend) -> None:
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
    observed = run(backend, text, observe=True)
    assert observed.diagnostics
    assert without_observations(observed) == without_observations(run(backend, text))
    assert observed.handles == ()


def test_nothing_is_known_of_a_script_that_cannot_be_read(backend: Backend) -> None:
    text = sequence("    %m = transform.nope %root : () -> !transform.any_op\n")
    observed = run(backend, text, observe=True)
    assert observed.status is Status.INVALID
    assert without_observations(observed) == without_observations(run(backend, text))
