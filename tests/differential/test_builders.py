"""Programs that build scripts: each operation is at the line that Python says, each mistake at the line of its use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.builders.comparison import compared as compared_programs
from oracle.builders.programs import programs
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from pathlib import Path

    from preparation.reporting import Compared

COUNT = 20
"""Each style without and with a mistake; `python -m oracle.builders` takes 200."""


def test_operations_and_mistakes_are_where_python_says(tmp_path: Path, compared: Compared) -> None:
    require_bindings()
    found = compared_programs(programs(COUNT, 0, "torch_mlir"), tmp_path.resolve(), "torch_mlir")
    assert found.differences == ()
    assert found.same == found.operations
    assert (found.found, len(found.operations)) == (found.programs, 10)
    compared("operations of programs, with their lines", sum(found.operations.values()))
