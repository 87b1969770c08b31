"""Results that outlive the process."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tdls.caching import user_cache
from tdls.caching.basis import Basis
from tdls.caching.kept_files import KeptResults
from tdls.caching.user_cache import FOLDER_VARIABLE, cache_place, private_folder
from tdls.catalogue.sources.work import SourceProblem

if TYPE_CHECKING:
    from collections.abc import Callable

FORMATS = """
import sys
from tdls.syntax.parser.assembly.format import parse_format
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
    basis = Basis("a", ("caching",))
    places = {basis.file("b"), basis.file("c"), basis.file("b", "c"), basis.file("b")}
    assert len(places) == 3
    assert {place.parent for place in places if place} == {tmp_path}


def test_formats_are_parsed_once_for_all_runs(tmp_path: Path) -> None:
    """The folder is given the way Linux, macOS and Windows each take it."""
    names = ("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA", "WIN_PD_OVERRIDE_LOCAL_APPDATA")
    environment = {**os.environ, **dict.fromkeys(names, str(tmp_path))}
    runs = [subprocess.run([sys.executable, "-c", FORMATS], env=environment, check=False) for _ in range(2)]
    assert [run.returncode for run in runs] == [1, 0]


needs_owners = pytest.mark.skipif(sys.platform == "win32", reason="folders of profiles are kept to users by Windows")


@needs_owners
def test_the_folder_is_made_for_the_user_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "outer" / "kept"))
    place = cache_place()
    assert place == (tmp_path / "outer" / "kept", "")
    assert (tmp_path / "outer" / "kept").stat().st_mode & 0o777 == 0o700


@needs_owners
def test_a_folder_that_others_could_read_is_closed_to_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "kept"))
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept").chmod(0o755)
    assert cache_place().folder == tmp_path / "kept"
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o700


@needs_owners
@pytest.mark.parametrize("mode", [0o770, 0o777, 0o702])
def test_a_folder_that_others_may_write_into_is_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mode: int
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "kept"))
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept").chmod(mode)
    assert cache_place().folder is None
    assert "others may write into" in cache_place().problem
    assert Basis("a", ("caching",)).file() is None
    assert private_folder() == private_folder() != tmp_path / "kept"


@needs_owners
def test_a_folder_of_another_user_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    assert cache_place().folder is None
    assert "belongs to another user" in cache_place().problem


class Hostile:
    """Pickled bytes may name any function, which is called when they are read."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self._call = function, arguments

    def __reduce__(self) -> tuple[object, ...]:
        return self._call


def test_bytes_that_name_functions_make_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    for function, *arguments in (
        (os.mkdir, str(mark)),
        (eval, f"__import__('os').mkdir({str(mark)!r})"),
        (Path.mkdir, mark),
        (getattr, Path, "mkdir"),
        (subprocess.run, ["mkdir", str(mark)]),
    ):
        content = pickle.dumps(Hostile(function, *arguments))
        with pytest.raises(user_cache.UnreadableError):
            user_cache.loads(content)
    for name in (
        "os system",
        "tdls.caching.user_cache keep",
        "tdls.project.root project_root",
        "tdls.project.scanning.assembly Path.mkdir",
    ):
        with pytest.raises(user_cache.UnreadableError):
            user_cache.loads(b"c" + name.replace(" ", "\n").encode() + b"\n.")
    assert not mark.exists()


def test_plain_data_comes_back() -> None:
    for value in (SourceProblem(Path("a.td"), 3, "no"), {"a": [1, (2.5, None)]}, frozenset({b"x"}), {1, 2}, "ä" * 9):
        assert user_cache.loads(user_cache.dumps(value)) == value
