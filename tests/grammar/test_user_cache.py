"""Results that outlive the process."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tdls.user_cache import KeptResults, cache_file

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

FORMATS = """
import sys
from tdls.syntax.assembly.format import parse_format
parse_format("$kept attr-dict")
sys.exit("lark" in sys.modules)
"""


def test_results_come_back(tmp_path: Path) -> None:
    file = tmp_path / "results"
    first: KeptResults[tuple[int, ...]] = KeptResults(file)
    assert first.get("a") is None
    first.put("a", (1, 2))
    assert first.get("a") == (1, 2)
    first.write()
    second: KeptResults[tuple[int, ...]] = KeptResults(file)
    assert second.get("a") == (1, 2)
    assert second.get("b") is None
    assert [path.name for path in tmp_path.iterdir()] == ["results"]


def test_damaged_files_are_ignored(tmp_path: Path) -> None:
    file = tmp_path / "results"
    sound: KeptResults[int] = KeptResults(file)
    sound.put("a", 1)
    sound.write()
    written = file.read_bytes()
    for damaged in (b"", b"nonsense", written[:-3], written.replace(b"K\x01", b"c__"), b"K\x01."):
        file.write_bytes(damaged)
        assert KeptResults[int](file).get("a") is None


def test_no_file_is_needed(tmp_path: Path) -> None:
    for file in (None, tmp_path / "missing folder" / "results"):
        results: KeptResults[int] = KeptResults(file)
        results.put("a", 1)
        results.write()
        assert results.get("a") == 1


def test_place_depends_on_the_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_arguments, **_options: str(tmp_path))
    places = {cache_file("a", "b"), cache_file("a", "c"), cache_file("a", "b", "c"), cache_file("a", "b")}
    assert len(places) == 3
    assert {place.parent for place in places if place} == {tmp_path}


def test_formats_are_parsed_once_for_all_runs(tmp_path: Path) -> None:
    """The folder is given the way Linux, macOS and Windows each take it."""
    names = ("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA", "WIN_PD_OVERRIDE_LOCAL_APPDATA")
    environment = {**os.environ, **dict.fromkeys(names, str(tmp_path))}
    runs = [subprocess.run([sys.executable, "-c", FORMATS], env=environment, check=False) for _ in range(2)]
    assert [run.returncode for run in runs] == [1, 0]
