"""Scans: the choice of files, the cache, and sources that contradict each other."""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from projects.scanning import catalogue_of, scanned
from projects.summaries import summaries
from tdls.catalogue.catalogue import Catalogue
from tdls.project.inputs import projects_for
from tdls.project.root import mlir_includes
from tdls.project.scanning import reading
from tdls.project.scanning.scanner import Scanner
from tdls.settings.consent import allow
from tdls.settings.llvm_versions import newest_version
from tdls.settings.rule_codes import RULE_CODES
from tdls.settings.sources import load_settings
from tools_at_hand import require_tool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tdls.project.definitions import SourceKind
    from tdls.project.inputs import ScannedProject

MAIN = newest_version()

pytestmark = pytest.mark.usefixtures("cache_folder")

LONG_AGO = 1_000_000_000
"""Seconds since the epoch. A file that has just changed is read again, since it may change once more."""
BASE = 'include "mlir/Dialect/Transform/IR/TransformDialect.td"\n'


def operation(name: str, operand: str = "target", trait: str = "FunctionalStyleTransformOpTrait") -> str:
    arguments = f"let arguments = (ins TransformHandleTypeInterface:${operand});"
    traits = f"[{trait}, MemoryEffectsOpInterface, TransformOpInterface]"
    return f'{BASE}def {name.title()}Op : Op<Transform_Dialect, "mine.{name}", {traits}> {{ {arguments} }}\n'


def write(file: Path, text: str, *, at: int = LONG_AGO) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    os.utime(file, (at, at))
    return file


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "tdls.toml", "")
    write(tmp_path / "include" / "Cut.td", operation("cut"))
    return tmp_path


def names(root: Path) -> list[str]:
    return [summary.partition(" ")[0].removeprefix("transform.mine.") for summary in summaries(scanned(root))]


def project(root: Path) -> ScannedProject:
    return projects_for(root, load_settings(root, {}).settings)[-1]


# Which files


@pytest.mark.parametrize(
    ("file", "is_read"),
    [
        ("deep/er/Ops.td", True),
        (".hidden/Ops.td", False),
        ("build/Ops.td", False),
        ("nested/Ops.td", False),
        ("venv/Ops.td", False),
        ("old/Ops.td", False),
    ],
)
def test_files_are_those_that_git_sees(root: Path, file: str, is_read: bool) -> None:
    subprocess.run([require_tool("git", "Debian package git"), "init", "--quiet", str(root)], check=True)
    write(root / ".gitignore", "build/\n")
    write(root / "nested" / "tdls.toml", "")
    write(root / "venv" / "pyvenv.cfg", "")
    write(root / "tdls.toml", '[project]\nexclude = ["old/"]\n')
    write(root / file, operation("hew"))
    assert names(root) == (["cut", "hew"] if is_read else ["cut"])


def test_of_a_copy_of_llvm_only_what_the_shipped_facts_lack_is_read(root: Path, read: list[str]) -> None:
    mlir = root / "llvm-project" / "mlir"
    write(mlir / "include" / "mlir" / "IR" / "OpBase.td", (mlir_includes()[0] / "mlir/IR/OpBase.td").read_text("utf-8"))
    write(mlir / "include" / "mlir" / "Dialect" / "SCF" / "SCFOps.td", 'def ForOp : SCF_Op<"for", []> {}\n')
    write(mlir / "include" / "mlir" / "Dialect" / "SCF" / "More.td", operation("hew"))
    write(mlir / "lib" / "SCF.cpp", "void ForOp::getEffects() {}\n")
    write(mlir.parent / "llvm" / "lib" / "Saw.td", operation("saw"))
    assert names(root) == ["cut", "hew"]
    assert sorted(read) == ["Cut.td", "More.td"]


def test_settings_name_further_files_and_folders(root: Path) -> None:
    first = write(root.parent / "elsewhere" / "first" / "Hew.td", operation("hew"))
    second = write(root.parent / "elsewhere" / "Split.td", operation("split"))
    notes = write(root.parent / "elsewhere" / "notes.txt", "")
    named = json.dumps([str(first.parent), str(second), str(notes), "missing"])
    write(root / "tdls.toml", f"[project]\ndefinitions = {named}\n")
    assert names(root) == ["cut"]
    allow(load_settings(root, RULE_CODES).refused)
    assert names(root) == ["cut", "hew", "split"]
    messages = sorted(problem.message for problem in scanned(root).definitions.problems)
    missing = f"`missing` names no file; check the path, which counts from {root}"
    assert messages == sorted(["is not a file that tdls reads definitions from", missing])


def test_includes_are_found_in_folders_that_settings_name(root: Path) -> None:
    write(root.parent / "shared" / "base" / "Base.td", 'defvar Prefix = "shared.";\n')
    text = operation("hew").replace('"mine.hew"', 'Prefix # "hew"')
    write(root / "include" / "Hew.td", f'include "base/Base.td"\n{text}')
    write(root / "tdls.toml", '[project]\ninclude = ["../shared"]\n')
    allow(load_settings(root, RULE_CODES).refused)
    assert [summary.partition(" ")[0] for summary in summaries(scanned(root))][-1] == "transform.shared.hew"


# The cache


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were read and understood since the last look."""
    seen: list[str] = []
    say = reading.said_by

    def said(path: Path, kind: SourceKind, text: str) -> object:
        seen.append(path.name)
        return say(path, kind, text)

    monkeypatch.setattr(reading, "said_by", said)
    return seen


def test_files_are_read_when_they_change(root: Path, read: list[str]) -> None:
    hew = write(root / "include" / "Hew.td", operation("hew"))
    scanner = Scanner(project(root))
    scanner.scan()
    assert sorted(read) == ["Cut.td", "Hew.td"]
    assert Scanner(project(root)).scan() == scanner.scan()
    write(hew, operation("split"), at=LONG_AGO + 1)
    assert [names(root), read[2:]] == [["cut", "split"], ["Hew.td"]]
    hew.unlink()
    assert [names(root), read[3:]] == [["cut"], []]


def test_a_change_that_keeps_size_and_time_is_seen(root: Path) -> None:
    """As in git, the times of a file as new as the scan are not trusted."""
    assert names(root) == ["cut"]
    write(root / "include" / "Cut.td", operation("hew"))
    assert names(root) == ["hew"]


def test_nothing_is_read_where_nothing_changed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scanner = Scanner(project(root))
    found = scanner.scan()
    monkeypatch.setattr("tdls.project.scanning.scanner._SAFE_AGE", -(10**12))
    assert Scanner(project(root)).known() == found
    (root / "include" / "New.td").touch()
    assert Scanner(project(root)).known() is None


def damages(cache_folder: Path) -> Iterator[None]:
    for content in (b"", b"\x80\x05garbage", b"\x80\x04K\x01."):
        for file in cache_folder.glob("project*"):
            file.write_bytes(content)
        yield


def test_a_damaged_cache_is_made_again(root: Path, cache_folder: Path) -> None:
    found = scanned(root).definitions
    assert list(cache_folder.glob("project*"))
    for _ in damages(cache_folder):
        assert scanned(root).definitions == found


def test_several_may_scan_at_once(root: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: Scanner(project(root)).scan(), range(8)))
    assert all(scan == found[0] for scan in found)
    assert Scanner(project(root)).scan() == found[0]


def test_much_is_read_in_several_processes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = scanned(root).definitions
    for number in range(40):
        write(root / "lib" / f"Source{number}.cpp", f"void f{number}() {{}}\n" + "// a comment\n" * 2_000)
    monkeypatch.setattr(reading, "_WORTH_A_PROCESS", 400_000)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    progress: list[tuple[int, int]] = []
    found = Scanner(project(root)).scan(lambda done, count: progress.append((done, count)))
    assert found.operations == expected.operations
    done, count = progress[-1]
    assert done == count >= 40


def test_an_included_file_that_appears_counts(root: Path) -> None:
    write(
        root / "include" / "Hew.td", f'include "../generated/Base.inc"\n{operation("hew")}'.replace('"mine.', 'P # "')
    )
    before = summaries(scanned(root))
    write(root / "generated" / "Base.inc", 'defvar P = "late.";\n')
    assert before != summaries(scanned(root))
    assert any(summary.startswith("transform.late.hew") for summary in summaries(scanned(root)))


# Broken and contradicting sources


def test_a_broken_file_costs_that_file_only(root: Path) -> None:
    write(root / "include" / "Broken.td", f'{operation("hew")}\ndef Half : Op<Transform_Dialect, "mine.half", [\n')
    write(root / "lib" / "Broken.cpp", "void CutOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &e) {{{(")
    write(root / "python" / "broken.py", "class D(ext.Dialect, name='d'):\n  def (:\n")
    write(root / "tdls-catalogue.json", "{")
    (root / "binary.td").write_bytes(b"\xff\xfe\x00include")
    assert "cut" in names(root)
    assert {problem.path.name for problem in scanned(root).definitions.problems} >= {
        "Broken.td",
        "broken.py",
        "tdls-catalogue.json",
    }


JSON = {"format": 1, "operations": [{"name": "transform.mine.cut", "operands": [{"name": "from_json"}]}]}


def test_tablegen_goes_before_a_catalogue_in_the_project(root: Path) -> None:
    write(root / "tdls-catalogue.json", json.dumps(JSON))
    assert summaries(scanned(root)) == ["transform.mine.cut (target: consumes) modifies"]
    (conflict,) = scanned(root).definitions.conflicts
    assert [claim.source for claim in conflict.claims] == ["include/Cut.td", "tdls-catalogue.json"]
    (root / "include" / "Cut.td").unlink()
    assert summaries(scanned(root)) == ["transform.mine.cut (from_json: unknown) unknown"]


def test_of_two_files_of_a_kind_the_first_one_counts(root: Path) -> None:
    write(root / "include" / "Again.td", operation("cut", "other"))
    write(root / "include" / "Same.td", operation("cut"))
    assert summaries(scanned(root)) == ["transform.mine.cut (other: consumes) modifies"]
    (conflict,) = scanned(root).definitions.conflicts
    assert [claim.source for claim in conflict.claims] == ["include/Again.td", "include/Cut.td", "include/Same.td"]


PEEL = """\
def LoopPeelOp : Op<Transform_Dialect, "loop.peel", [FunctionalStyleTransformOpTrait]> {
  let description = "Ours.";
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedAttr<BoolAttr, "false">:$peel_front,
                       DefaultValuedAttr<BoolAttr, "false">:$fail_if_already_divisible);
  let results = (outs TransformHandleTypeInterface:$peeled_loop, TransformHandleTypeInterface:$remainder_loop);
  let assemblyFormat = [{FORMAT}];
}
"""


def test_upstream_operations_keep_their_shipped_facts(root: Path) -> None:
    """A project that carries MLIR's own sources loses none of the facts that these do not tell."""
    shipped = Catalogue.shipped().variants("transform.loop.peel")
    text = BASE + PEEL.replace("FORMAT", shipped[0].assembly_format or "")
    write(root / "include" / "Peel.td", text)
    known = catalogue_of(root).variants("transform.loop.peel")
    assert [definition.results for definition in known] == [definition.results for definition in shipped]
    assert (known[0].description, known[0].source) == ("Ours.", shipped[0].source)
    assert scanned(root).definitions.conflicts == ()
    write(root / "include" / "Peel.td", text.replace("$target", "$loop"))
    known = catalogue_of(root).variants("transform.loop.peel")
    assert [definition.operands[0].name for definition in known] == [
        "loop",
        *(definition.operands[0].name for definition in shipped),
    ]
    assert [conflict.name for conflict in scanned(root).definitions.conflicts] == ["transform.loop.peel"]


# Passes


def test_passes_are_definitions_of_a_project(root: Path) -> None:
    base = 'include "mlir/Pass/PassBase.td"\n'
    write(root / "include" / "Passes.td", f'{base}def Mine : Pass<"mine"> {{ let summary = "Mine"; }}\n')
    write(root / "include" / "Upstream.td", f'{base}def Cse : Pass<"cse"> {{ let summary = "Ours"; }}\n')
    found = scanned(root)
    catalogue = Catalogue.shipped().with_source(found)
    own, same = catalogue.pass_definition("mine"), catalogue.pass_definition("cse")
    assert own is not None
    assert same is not None
    assert (own.source, own.summary, own.versions) == ("include/Passes.td", "Mine", ())
    assert (same.source, same.summary, same.versions) == ("include/Upstream.td", "Ours", (18, 19, 20, 21, 22, 23, MAIN))
    assert {"mine", "cse", "canonicalize"} <= set(catalogue.pass_names())
    assert [file.passes for file in found.definitions.defining_files] == [0, 1, 1]
