"""The key of a cached value covers its inputs: the code that makes it, grammars, facts, and the texts."""

from __future__ import annotations

import ast
import shutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tdls
from tdls.caching import basis
from tdls.caching.basis import EVERYTHING, Basis, digest_of_parts, own_digest, own_file
from tdls.caching.digest import digest
from tdls.caching.kept_files import KeptFile
from tdls.caching.user_cache import Cache, CachePlace
from tdls.cli.checking.kept import FINDINGS
from tdls.grammars import MAKERS, START_SYMBOLS, part_of
from tdls.project.inputs import READINGS, SCANS
from tdls.syntax.parser.assembly.format import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator

NO_CACHE = Cache(CachePlace(None))
PACKAGE = Path(tdls.__file__).resolve().parent
GRAMMARS = [Basis(f"{name}.tables", (*MAKERS, part_of(name))) for name in (*START_SYMBOLS, "tablegen")]
MADE_BY = {
    "project": "tdls.project.scanning.scanner",
    "project-sources": "tdls.project.scanning.reading",
    "formats": "tdls.syntax.parser.assembly.format",
    **{basis.kind: "tdls.grammars" for basis in GRAMMARS},
}
KEPT = {basis.kind: basis for basis in (SCANS, READINGS, FORMATS, *GRAMMARS)}
NO_PART = {"tdls", "tdls.text", "tdls.syntax", "tdls.syntax.parser", "tdls.syntax.parser.assembly"}
"""Packages without code; the version is always part of a key."""


@pytest.mark.parametrize("basis", [FINDINGS, *KEPT.values()], ids=lambda basis: basis.kind)
def test_all_parts_are_there(basis: Basis) -> None:
    assert [part for part in basis.parts if not own_file(part).exists()] == []


@pytest.mark.parametrize("kind", MADE_BY)
def test_the_code_behind_a_kept_value_is_part_of_its_key(kind: str) -> None:
    """All modules that are imported for it, whichever way."""
    parts = {own_file(part) for part in KEPT[kind].parts}
    modules = {name: path for name, path in imported_for(MADE_BY[kind]).items() if name not in NO_PART}
    assert len(modules) > 1
    assert [name for name, path in modules.items() if not parts & {path, *path.parents}] == []


def imported_for(start: str) -> dict[str, Path]:
    """Return the modules of tdls that a module needs when it runs."""
    found: dict[str, Path] = {}
    pending = [start]
    while pending:
        name = pending.pop()
        path = path_of(name)
        if path is not None and name not in found:
            found[name] = path
            pending += [name.rpartition(".")[0], *imports_of(path)]
    return found


def path_of(name: str) -> Path | None:
    if name.partition(".")[0] != "tdls":
        return None
    place = PACKAGE.joinpath(*name.split(".")[1:])
    return next((path for path in (place / "__init__.py", place.with_suffix(".py")) if path.is_file()), None)


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    return tuple(imports(ast.parse(path.read_text(encoding="utf-8"))))


def imports(node: ast.AST) -> Iterator[str]:
    """Yield the names of modules, or of possible ones, that are not imported for types alone."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom) and node.module is not None:
        yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
    for child in ast.iter_child_nodes(node):
        yield from imports(child)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A small tdls."""
    package = tmp_path / "server" / "tdls"
    for name in ("catalogue/facts/arith.json", "syntax/parser/parser.py", "ide/hover.py", "../../grammar/mlir.lark"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text("old", encoding="utf-8")
    return package


@pytest.mark.parametrize(
    ("changed", "counts"),
    [
        ("catalogue/facts/arith.json", True),
        ("syntax/parser/parser.py", True),
        ("syntax/parser/another.py", True),
        ("../../grammar/mlir.lark", True),
        ("ide/hover.py", False),
        ("syntax/__pycache__/parser.pyc", False),
    ],
)
def test_parts_alone_count(copy: Path, tmp_path: Path, changed: str, *, counts: bool) -> None:
    parts = ("catalogue", "syntax", "grammar/mlir.lark")
    cache = Cache(CachePlace(tmp_path))
    known = digest_of_parts(parts, cache, copy)
    everything = digest_of_parts(EVERYTHING, cache, copy)
    (copy / changed).parent.mkdir(exist_ok=True)
    (copy / changed).write_text("another text", encoding="utf-8")
    assert (digest_of_parts(parts, cache, copy) != known) == counts
    assert (digest_of_parts(EVERYTHING, cache, copy) != everything) == (not changed.endswith(".pyc"))


def test_grammars_are_those_of_the_wheel_where_it_has_some(copy: Path) -> None:
    before = digest_of_parts(EVERYTHING, NO_CACHE, copy)
    shutil.move(copy.parents[1] / "grammar", copy / "grammar")
    assert own_file("grammar/mlir.lark", copy) == copy / "grammar" / "mlir.lark"
    assert digest_of_parts(EVERYTHING, NO_CACHE, copy) == before


def test_files_are_read_once_and_again_where_the_hash_is_damaged(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(CachePlace(tmp_path))
    known = digest_of_parts(EVERYTHING, cache, copy)
    with monkeypatch.context() as patch:
        patch.setattr(basis, "_content", lambda *_: pytest.fail("read again"))
        assert digest_of_parts(EVERYTHING, cache, copy) == known
    for file in tmp_path.glob("installation-*"):
        file.write_bytes(b"")
    assert digest_of_parts(EVERYTHING, cache, copy) == known


def test_no_two_tdls_are_taken_for_one_while_files_come_and_go(copy: Path) -> None:
    digests = {digest_of_parts(("missing",), NO_CACHE, copy) for _ in range(2)}
    assert len(digests) == 2


def test_each_part_of_a_key_counts() -> None:
    assert digest("ab", "c") != digest("a", "bc") != digest("a", "b", "c")
    assert digest("\ud800") == digest(b"\xed\xa0\x80")
    keys = {basis.key(content) for basis in (SCANS, READINGS, FORMATS) for content in ("a", "b")}
    assert len(keys) == 6


def test_a_kept_file_holds_for_one_tdls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path))
    basis = Basis("some", ("caching",))
    KeptFile(basis, "name").store([1])
    assert KeptFile(basis, "name").load() == [1]
    assert KeptFile(basis, "other").load() is None
    monkeypatch.setattr("tdls.caching.basis.own_digest", lambda parts: f"another {parts}")
    assert KeptFile(basis, "name").load() is None
    KeptFile(basis, "name").store([2])
    assert KeptFile(basis, "name").load() == [2]
    assert len(list(tmp_path.rglob("some-*"))) == 1
    assert own_digest(basis.parts) == own_digest(basis.parts)
