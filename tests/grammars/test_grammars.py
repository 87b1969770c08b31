"""The sources of grammars, and the cache of their tables."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import platformdirs
import pytest

import tdls
from tdls import grammars
from tdls.caching.basis import own_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / "cache"))
    grammars.parser.cache_clear()
    yield tmp_path / "cache"
    grammars.parser.cache_clear()


def parses() -> bool:
    grammars.parser.cache_clear()
    return grammars.parser("assembly_format").parse("$a attr-dict").data == "start"


def test_tables_are_kept_and_used_again(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parses()
    assert len(list(cache_folder.rglob("assembly_format.tables-*"))) == 1
    monkeypatch.setattr("lark.lark.load_grammar", None)
    assert parses()


@pytest.mark.parametrize("change", ["", "another lark", "another grammar", "damage"])
def test_tables_of_the_wheel_are_used_if_they_are_of_the_same(
    change: str, cache_folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    packed = grammars.packed("assembly_format", grammars.parser("assembly_format"))
    shipped = tmp_path / "shipped"
    shipped.write_bytes(b"" if change == "damage" else packed or b"")
    monkeypatch.setattr(grammars, "own_file", lambda part: shipped if part.endswith(".tables") else own_file(part))
    if change == "another lark":
        monkeypatch.setattr("lark.__version__", "0.9")
    if change == "another grammar":
        text = grammars.grammar_text("assembly_format")
        monkeypatch.setattr(grammars, "grammar_text", lambda _: f"{text}\n")
    if not change:
        monkeypatch.setattr("lark.lark.load_grammar", None)
    shutil.rmtree(cache_folder)
    assert parses()
    assert cache_folder.exists() is bool(change)


def test_damaged_tables_are_made_anew(cache_folder: Path) -> None:
    assert parses()
    (tables,) = cache_folder.rglob("assembly_format.tables-*")
    sound = tables.read_bytes()
    for damaged in (b"", b"nonsense", sound[: len(sound) // 2]):
        tables.write_bytes(damaged)
        assert parses()


def test_missing_folder_does_not_matter(cache_folder: Path) -> None:
    cache_folder.write_text("a file where the folder should be", encoding="utf-8")
    assert parses()


def test_unwritable_tables_do_not_matter(cache_folder: Path) -> None:
    assert parses()
    (tables,) = cache_folder.rglob("assembly_format.tables-*")
    tables.unlink()
    tables.mkdir()
    assert parses()


def test_relative_folder_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TDLS_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "home")
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_arguments, **_options: "~/.cache/tdls")
    monkeypatch.chdir(tmp_path)
    assert parses()
    grammars.parser.cache_clear()
    assert list(tmp_path.iterdir()) == []


def test_tables_belong_to_a_version(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parses()
    monkeypatch.setattr(tdls, "__version__", "999")
    assert parses()
    assert len(list(cache_folder.rglob("assembly_format.tables-*"))) == 2


def test_grammar_of_an_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site-packages" / "tdls"
    (package / "grammar").mkdir(parents=True)
    (package / "grammar" / "mlir.lark").write_text("start: X", encoding="utf-8")
    monkeypatch.setattr(tdls, "__file__", str(package / "__init__.py"))
    assert grammars.grammar_text("mlir") == "start: X"
    with pytest.raises(FileNotFoundError):
        grammars.grammar_text("tablegen")


@pytest.mark.parametrize("module", ["tdls.cli.command_line", "tdls.syntax.details", "tdls.syntax.parser.parser"])
def test_imports_leave_lark_alone(module: str) -> None:
    code = f"import sys, {module}; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("text", ["!transform.any_op", '!transform.op<"linalg.matmul">', "tensor<4x?xf32>", "i64"])
def test_plain_types_need_no_grammar(text: str) -> None:
    code = (
        "import sys; from tdls.syntax.details import parse_detail;"
        f"assert parse_detail('type', {text!r}).problem is None; sys.exit('lark' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
