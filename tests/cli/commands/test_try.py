"""`tdls try`: steps that work at a line of a script."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from command_line import tdls
from interpreter.scripts import MATCH, TILE, sequence
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from pathlib import Path

ANY = "!transform.any_op"
TILE_ONE = " ".join(TILE.replace("%matmul", "%each").split())
EACH = f"    transform.foreach %matmul : {ANY} {{\n    ^bb0(%each: {ANY}):\n      {TILE_ONE}\n    }}\n"
SCRIPT = sequence(MATCH + EACH)


@pytest.mark.parametrize("on", ["%matmul", "%loop"])
def test_at_a_line(on: str, tmp_path: Path) -> None:
    lines = SCRIPT.splitlines()
    line = 1 + next(number for number, text in enumerate(lines) if f"{on} = " in text)
    (tmp_path / "script.mlir").write_text(SCRIPT, encoding="utf-8")
    backend = ["--backend", str(require_mlir_opt(22))]
    command = ["try", f"script.mlir:{line}", *backend, "--seconds", "60"]
    document = json.loads(tdls(*command, "--format", "json", folder=tmp_path).stdout)
    assert any(f" {on} " in step["text"] for step in document["steps"])
    first = tdls(*command, folder=tmp_path).stdout.splitlines()[2]
    assert first == document["steps"][0]["text"]
    (tmp_path / "script.mlir").write_text("\n".join([*lines[:line], first, *lines[line:]]), encoding="utf-8")
    done = tdls("run", "script.mlir", *backend, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("place", ["script.mlir", "script.mlir:0", "script.mlir:1"])
def test_places_without_steps(place: str, tmp_path: Path) -> None:
    require_bindings()
    (tmp_path / "script.mlir").write_text(SCRIPT, encoding="utf-8")
    done = tdls("try", place, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
