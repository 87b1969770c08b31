"""Other processes that look at files: nothing of them is left once the last result is there."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from tdls.cli.checking.file import CheckSettings
from tdls.cli.checking.targets import CheckTarget
from tdls.cli.checking.workers import check_targets

if TYPE_CHECKING:
    from pathlib import Path


def test_a_pool_is_gone_with_the_last_result(tmp_path: Path) -> None:
    targets = []
    for name in ("a.mlir", "b.mlir"):
        path = tmp_path / name
        path.write_text("func.func private @f()\n", encoding="utf-8")
        targets.append(CheckTarget(str(path), path))
    before = set(threading.enumerate())
    results = check_targets(targets, CheckSettings(uses_cache=False), 2)
    assert [next(results).name for _ in targets] == [target.name for target in targets]
    del results  # as a caller does that takes one result for each target
    assert set(threading.enumerate()) - before == set()
