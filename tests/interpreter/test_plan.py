"""What is run for a script: the caller's wishes, its comments, its RUN lines, its project, in this order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdls.interpreter.model import TextFile
from tdls.interpreter.plan import PlanError, Wishes, plan

SCRIPT = Path("script.mlir")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.mlir", "b.mlir", "c.mlir", "folder/d.mlir", "folder/e.mlir", "folder/f.txt"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(name, encoding="utf-8")


def libraries(text: str, wishes: Wishes) -> list[str]:
    (request,) = plan(TextFile("script.mlir", text), SCRIPT, wishes)
    return [Path(library.name).as_posix() for library in request.libraries]


RUN_LINE = "// RUN: mlir-opt %s --transform-preload-library='transform-library-paths=%S/b.mlir'\n"


def test_order_of_libraries() -> None:
    project = Wishes(project_libraries=(Path("c.mlir"),))
    both = Wishes(libraries=(Path("folder"),), project_libraries=(Path("c.mlir"),))
    assert libraries("", project) == ["c.mlir"]
    assert libraries(RUN_LINE, project) == ["b.mlir"]
    assert libraries(f"{RUN_LINE}// tdls: library=a.mlir\n", project) == ["a.mlir"]
    assert libraries(f"{RUN_LINE}// tdls: library=a.mlir\n", both) == ["folder/d.mlir", "folder/e.mlir"]


def test_script_is_no_library_of_itself() -> None:
    SCRIPT.write_text("", encoding="utf-8")
    assert libraries("", Wishes(project_libraries=(Path("a.mlir"), SCRIPT))) == ["a.mlir"]


def test_script_that_is_read_as_a_library_has_its_payload_elsewhere() -> None:
    line = "// RUN: mlir-opt %S/a.mlir --transform-preload-library='transform-library-paths=%s,%S/b.mlir'\n"
    (request,) = plan(TextFile("script.mlir", line), SCRIPT, Wishes())
    assert request.payload == TextFile("a.mlir", "a.mlir")
    assert [library.name for library in request.libraries] == ["b.mlir"]


def test_options_of_run_lines() -> None:
    options = "entry-point=mine debug-payload-root-tag=here disable-expensive-checks"
    line = f"// RUN: mlir-opt %s --pass-pipeline='builtin.module(transform-interpreter{{{options}}},cse)'\n"
    (request,) = plan(TextFile("script.mlir", line), SCRIPT, Wishes())
    assert request.entry_point == "mine"
    assert request.options == (("debug-payload-root-tag", "here"), ("disable-expensive-checks", "true"))


def test_parts_keep_their_lines() -> None:
    text = "module {\n}\n// -----\nmodule {\n}\n"
    first, second = plan(TextFile("script.mlir", text), SCRIPT, Wishes())
    assert first.script.text.startswith("module {\n}\n")
    assert second.script.text[: second.script.text.index("module")].count("\n") == 3


def test_substitutions_that_are_not_known_are_left_out() -> None:
    assert libraries("// RUN: x %s --transform-preload-library='transform-library-paths=%t/b.mlir'\n", Wishes()) == []


@pytest.mark.parametrize("wishes", [Wishes(payload=Path("no.mlir")), Wishes(libraries=(Path("no.mlir"),))])
def test_files_that_are_not_there(wishes: Wishes) -> None:
    with pytest.raises(PlanError, match=r"no\.mlir: "):
        plan(TextFile("script.mlir", ""), SCRIPT, wishes)
