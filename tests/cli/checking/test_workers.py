"""Other processes that look at files: nothing of them is left once the last result is there."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from tdls.cli.checking import workers
from tdls.cli.checking.file import CheckSettings
from tdls.cli.checking.targets import CheckTarget
from tdls.cli.checking.workers import check_targets, on_targets

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.mark.parametrize(("size", "jobs", "others"), [(100_000, 2, 0), (100_000, None, 0), (400_000, 2, 2)])
def test_few_files_are_checked_without_other_processes(
    size: int, jobs: int | None, others: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []

    def note(_targets: object, _settings: object, number: int, *_: object) -> Iterator[str]:
        started.append(number)
        return iter(())

    monkeypatch.setattr(workers, "_in_workers", note)
    targets = [CheckTarget(f"{number}.mlir", tmp_path, " " * (size // 100)) for number in range(100)]
    list(on_targets(targets, CheckSettings(uses_cache=False), jobs, lambda _, target: target.name, lambda *_: ""))
    assert sum(started) == others


def test_a_pool_is_gone_with_the_last_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_BYTES_WORTH_A_WORKER", 1)
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
