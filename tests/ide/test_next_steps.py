"""Steps that work from a state of a session."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tdls import Session
from tdls.ide.next_steps import steps_from
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    assert {step.operation for step in found.steps[:6]} >= {"transform.structured.tile_using_for"}


def test_what_changes_and_finds_nothing_new_is_left_out(session: Session) -> None:
    names = re.compile(r'ops\{\["([\w.]+)"\]')
    matched = steps_from(reached(session.state, MATCH), seconds=60.0)
    searches = [name for step in matched.steps for name in names.findall(step.text)]
    assert sorted(searches) == ["func.func", "linalg.exp"]
    assert {"transform.cast", "transform.verify", "transform.apply_cse"}.isdisjoint(
        step.operation for step in matched.steps
    )
    with_both = reached(reached(session.state, MATCH), MATCH.replace("matmul", "exp").replace("%mm", "%exp"))
    searches = [name for step in steps_from(with_both).steps for name in names.findall(step.text)]
    assert searches == ["func.func"]
