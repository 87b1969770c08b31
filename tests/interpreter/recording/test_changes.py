"""Changes of the payload's text are those of operations, not of the numbers that values have."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest

from oracle.run_agreement import request_of
from oracle.run_corpus.scripts import scripts
from tdls.interpreter.observing.records import Wanted
from tdls.interpreter.recording.changes import _keys, changes, following_origins
from tdls.interpreter.recording.recording import recorded
from tdls.interpreter.runs.model import Emit

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend

BEFORE = """\
#map = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: i32, %arg1: i32) -> i32 {
    %0 = arith.addi %arg0, %arg1 : i32
    %1 = arith.muli %0, %arg1 : i32
    return %1 : i32
  }
  func.func @g(%arg0: i32) -> i32 {
    %0 = arith.addi %arg0, %arg0 : i32
    "my.use"() {map = #map} : () -> ()
    return %0 : i32
  }
}
"""


def after(*replaced: tuple[str, str]) -> str:
    text = BEFORE
    for old, new in replaced:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def shown(before: str, now: str) -> list[str]:
    found = changes(before, now)
    return [
        f"{kind}{(found.before[old] if new < 0 else found.after[new]).strip()}"
        for hunk in found.hunks(context=0)
        for kind, old, new in hunk
    ]


def test_nothing() -> None:
    found = changes(BEFORE, BEFORE)
    assert (found.added, found.removed, found.hunks()) == ((), (), [])


def test_new_operation_that_moves_numbers() -> None:
    now = after(
        (
            "    %0 = arith.addi %arg0, %arg1",
            "    %0 = arith.subi %arg0, %arg1 : i32\n    %1 = arith.addi %arg0, %arg1",
        ),
        ("%1 = arith.muli %0, %arg1", "%2 = arith.muli %1, %arg1"),
        ("return %1", "return %2"),
    )
    assert shown(BEFORE, now) == ["+%0 = arith.subi %arg0, %arg1 : i32"]


def test_other_operands_are_a_change() -> None:
    assert shown(BEFORE, after(("muli %0, %arg1", "muli %0, %arg0"))) == [
        "-%1 = arith.muli %0, %arg1 : i32",
        "+%1 = arith.muli %0, %arg0 : i32",
    ]


def test_aliases_are_resolved() -> None:
    renamed = after(("#map =", "#map1 ="), ("map = #map}", "map = #map1}"))
    assert shown(BEFORE, renamed) == []
    other = after(("affine_map<(d0) -> (d0)>", "affine_map<(d0) -> (d0 * 2)>"))
    assert [line[0] for line in shown(BEFORE, other)] == ["-", "+", "-", "+"]


def test_names_are_of_one_function() -> None:
    now = after(("func.func @f(%arg0: i32, %arg1", "func.func @f(%x: i32, %y"), ("addi %arg0, %arg1", "addi %x, %y"))
    now = now.replace("muli %0, %arg1", "muli %0, %y")
    assert shown(BEFORE, now) == []


def test_changes_by_function() -> None:
    text = "".join(f"func.func @f{at}() {{\n  test.a\n  test.b\n  return\n}}\n" for at in range(3))
    found = list(changes(text, f"{text.replace('test.a', 'test.c', 1)}test.d").by_function())
    assert [name for name, _ in found] == ["@f0", "@f2"]
    assert found[0][1] == [" func.func @f0() {", "-  test.a", "+  test.c", "   test.b", "   return", " }"]


def test_replaced_lines() -> None:
    now = after(("%1 = arith.muli %0, %arg1", "%1 = arith.muli %arg1, %arg1"))
    found = changes(BEFORE, now)
    assert found.replaced == {4: 4}


@pytest.mark.parametrize("seed", range(30))
def test_any_change_leads_from_one_text_to_the_other(seed: int) -> None:
    generator = random.Random(seed)
    function = "  func.func @f(%a: i32) {"
    lines = [function, *(f"    %{number} = op %a" for number in range(6))]
    old = [generator.choice(lines) for _ in range(generator.randrange(30))]
    new = list(old)
    for _ in range(generator.randrange(6)):
        place = generator.randrange(len(new) + 1)
        new[place : place + generator.randrange(3)] = [generator.choice(["    other", *lines])] * generator.randrange(3)
    found = changes("\n".join(old), "\n".join(new))
    rebuilt, kept = [], []
    for kind, before, now in (row for hunk in found.hunks(context=10_000) for row in hunk):
        rebuilt += [found.after[now]] if kind != "-" else []
        kept += [found.before[before]] if kind != "+" else []
    if found.added or found.removed:
        assert rebuilt == list(found.after)
        assert kept == list(found.before)


def test_texts_of_any_size_are_compared_quickly() -> None:
    old = "\n".join(f"    %{number} = arith.addi %a, %b : i32" for number in range(20_000))
    new = "\n".join(f"    %{number} = arith.muli %a, %b : i32" for number in range(20_000))
    begin = time.process_time()
    found = changes(old, new)
    assert len(found.added) == 20_000
    assert time.process_time() - begin < 5


def test_blame_of_runs(bindings: Backend) -> None:
    """A line is as it is since the step that changed it last: it is there ever since, and was not made before."""
    pairs: list[tuple[list[list[str]], int, int, int | None]] = []
    for script in scripts()[3::25]:
        recording = recorded(bindings, request_of(script, Emit.PAYLOAD), Wanted.every())
        texts = [(passing, recording.text(passing)) for passing in range(len(recording.passings))]
        known = [(passing, text) for passing, text in texts if text is not None]
        keys = [_keys(text.splitlines(), text.splitlines()) for _, text in known]
        for passing, origins in following_origins(known):
            pairs += ((keys, passing, line, origin.changed) for line, origin in enumerate(origins))
    chosen = random.Random(0).sample(pairs, 400)
    for keys, passing, line, changed in chosen:
        key = keys[passing][line]
        absent = [number for number in range(passing) if key not in keys[number]]
        assert all(key in keys[number] for number in range(changed or 0, passing + 1))
        assert not absent or (changed is not None and changed > absent[-1])
    assert sum(changed is not None for _, _, _, changed in chosen) > 40


def test_blame() -> None:
    first = after(("addi %arg0, %arg1 : i32", "addi %arg0, %arg1 : i32\n    %9 = arith.constant 1 : i32"))
    second = first.replace("constant 1", "constant 2")
    *_, (_, found) = following_origins([(0, BEFORE), (1, BEFORE), (2, first), (3, second)])
    assert [tuple(origin) for origin in found[3:6]] == [(None, None), (2, 3), (None, None)]
    assert found[0] == (None, None)
