"""The command line in projects: findings, and messages about the sources."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from command_line import tdls
from projects.scanning import scanned
from tdls.cli.commands import catalogue, doctor
from tdls.interpreter.inventory import Trial

if TYPE_CHECKING:
    import click

SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture(params=["quarry", "loom", "kiln"])
def sample(request: pytest.FixtureRequest) -> Path:
    return SAMPLES / str(request.param)


def run(command: click.Command, *arguments: str) -> str:
    result = CliRunner().invoke(command, list(arguments), standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.stdout


def checked(path: Path, *options: str) -> list[str]:
    done = tdls("--check", str(path), "--output-format", "concise", "--no-cache", *options)
    assert not done.stderr, done.stderr
    return [line for line in done.stdout.splitlines() if ": " in line]


def test_check_knows_the_operations_of_the_project() -> None:
    (finding,) = checked(SAMPLES / "kiln" / "schedules")
    assert "firing.mlir:17:39: warning: `%batch` was consumed by `transform.kiln.fire`" in finding


def test_check_knows_which_operand_is_which_in_forms_that_only_cpp_has(tmp_path: Path) -> None:
    root = shutil.copytree(SAMPLES / "quarry", tmp_path / "quarry")
    script = root / "scripts" / "tiles.mlir"
    assert checked(script) == []
    (finding,) = checked(script, "--possible")
    assert "tiles.mlir:6:24: hint: `%height` was consumed by `transform.quarry.tile`, if its operands stand" in finding
    operation = {"name": "transform.quarry.tile", "operand_order": ["dynamic_sizes", "target"]}
    order = root / "order.tdls.json"
    order.write_text(json.dumps({"format": 1, "operations": [operation]}), encoding="utf-8")
    (finding,) = checked(script)
    assert "tiles.mlir:7:24: warning: `%benches` was consumed by `transform.quarry.tile`" in finding
    assert scanned(root).definitions.conflicts == ()


def test_hints_at_unknown_operations_need_an_option(tmp_path: Path) -> None:
    (tmp_path / "tdls.toml").touch()
    (tmp_path / "script.mlir").write_text('"transform.mine.cut"() : () -> ()\n', encoding="utf-8")
    assert checked(tmp_path) == []
    (hint,) = checked(tmp_path, "--possible")
    assert "hint: no source knows `transform.mine.cut`" in hint


def test_show_says_where_an_operation_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLES / "quarry")
    page = run(catalogue.command, "show", "transform.quarry.tile")
    assert "    target         one       consumes" in page
    assert f"{SAMPLES / 'quarry' / 'include' / 'quarry' / 'IR' / 'QuarryTransformOps.td'}:64" in page
    assert f"{SAMPLES / 'quarry' / 'lib' / 'Transforms' / 'QuarryTransformOps.cpp'}:63" in page


def test_sources_are_listed(sample: Path) -> None:
    page = run(catalogue.command, "sources", str(sample))
    assert page.startswith(f"{sample} (")
    listed = json.loads(run(catalogue.command, "sources", str(sample), "--format", "json"))
    own = [file for file in listed["files"] if Path(file["path"]).is_relative_to(sample)]
    expected = (sample / "expected.txt").read_text(encoding="utf-8").splitlines()
    assert sum(file["operations"] for file in own) == len(expected)
    assert all(Path(file["path"]).relative_to(sample).as_posix() in page for file in own)
    assert len(listed["problems"]) == (sample.name == "loom")
    assert ("Not understood" in page) is (sample.name == "loom")


def test_doctor_reports_contradictions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "trial", lambda _: Trial("not tried"))
    root = shutil.copytree(SAMPLES / "quarry", tmp_path / "quarry")
    operations = [{"name": "transform.quarry.tile", "operands": [{"name": "loop"}]}]
    file = root / "mine.json"
    file.write_text(json.dumps({"format": 1, "operations": operations}), encoding="utf-8")
    (root / "tdls.toml").write_text('catalogues = ["mine.json"]\nproject.bindings = false\n', encoding="utf-8")
    shutil.copy(root / "include" / "quarry" / "IR" / "QuarryTransformOps.td", root / "include" / "Same.td")
    page = run(doctor.command, str(root))
    assert f"{root} (4 TableGen files, 1 C++ file)" in page
    assert "  transform.quarry.tile: mine.json, then include/Same.td:64" in page
    assert page.count("transform.quarry.") == 1
