"""Steps that work from a state of a session, and at a line of a script."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from command_line import tdls
from interpreter.scripts import MATCH as MATCHING
from interpreter.scripts import TILE, sequence
from tdls import Session
from tdls.ide.runs.next_steps import steps_from
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tdls import State

ANY = "!transform.any_op"
PAYLOAD = """\
func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x128xf32>, %c: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x128xf32>)
                     outs(%c : tensor<64x128xf32>) -> tensor<64x128xf32>
  %1 = linalg.exp ins(%0 : tensor<64x128xf32>) outs(%c : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
"""
MATCH = f'%mm = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({ANY}) -> {ANY}'


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    require_bindings()
    with Session(PAYLOAD, backend="bindings:torch_mlir") as opened:
        yield opened


def reached(state: State, text: str) -> State:
    after = state.run(text).state
    assert after is not None, text
    return after


def test_each_step_works_and_says_what_it_does(session: Session) -> None:
    matched = reached(session.state, MATCH)
    found = steps_from(matched, seconds=60.0)
    assert len(found.steps) > 15
    for step in found.steps:
        after = reached(matched, step.text)
        changes = after.changes(matched)
        assert (len(changes.added), len(changes.removed)) == (step.added, step.removed), step.text
        assert {held.handle.shown: held.count for held in step.results} == {
            name: after.handles[name].count for name in after.handles if name not in matched.handles
        }
    texts = [step.text for step in found.steps]
    assert f"transform.structured.vectorize %mm : {ANY}" in texts
    assert any("tile_sizes [32, 32, 16]" in text for text in texts)
    assert any(", 1 value, +" in step.effect for step in found.steps)
    assert {step.operation for step in found.steps[:6]} >= {"transform.structured.tile_using_for"}


def test_what_changes_and_finds_nothing_new_is_left_out(session: Session) -> None:
    names = re.compile(r'ops\{\["([\w.]+)"\]')
    matched = steps_from(reached(session.state, MATCH), seconds=60.0)
    searches = [name for step in matched.steps for name in names.findall(step.text)]
    assert sorted(searches) == ["func.func", "linalg.exp"]
    useless = {"transform.cast", "transform.verify", "transform.apply_cse"}
    assert useless.isdisjoint(step.operation for step in matched.steps)
    with_both = reached(reached(session.state, MATCH), MATCH.replace("matmul", "exp").replace("%mm", "%exp"))
    searches = [name for step in steps_from(with_both).steps for name in names.findall(step.text)]
    assert searches == ["func.func"]


TILE_ONE = " ".join(TILE.replace("%matmul", "%each").split())
EACH = f"    transform.foreach %matmul : {ANY} {{\n    ^bb0(%each: {ANY}):\n      {TILE_ONE}\n    }}\n"
SCRIPT = sequence(MATCHING + EACH)


@pytest.mark.parametrize(("on", "is_tool"), [("%matmul", False), ("%loop", True)])
def test_at_a_line(on: str, is_tool: bool, tmp_path: Path) -> None:
    require_bindings()
    lines = SCRIPT.splitlines()
    line = 1 + next(number for number, text in enumerate(lines) if f"{on} = " in text)
    (tmp_path / "script.mlir").write_text(SCRIPT, encoding="utf-8")
    backend = ["--backend", str(require_mlir_opt(22)) if is_tool else "bindings:torch_mlir"]
    command = ["try", f"script.mlir:{line}", *backend, "--seconds", "60"]
    document = json.loads(tdls(*command, "--format", "json", folder=tmp_path).stdout)
    assert any(f" {on} " in step["text"] for step in document["steps"])
    first = document["steps"][0]["text"]
    assert is_tool or tdls(*command, folder=tmp_path).stdout.splitlines()[2] == first
    (tmp_path / "script.mlir").write_text("\n".join([*lines[:line], first, *lines[line:]]), encoding="utf-8")
    done = tdls("run", "script.mlir", *backend, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("place", ["script.mlir", "script.mlir:0", "script.mlir:1"])
def test_places_without_steps(place: str, tmp_path: Path) -> None:
    require_bindings()
    (tmp_path / "script.mlir").write_text(SCRIPT, encoding="utf-8")
    done = tdls("try", place, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
