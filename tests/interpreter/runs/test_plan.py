"""The run of a script: options of the caller, comments, RUN lines and the project decide, in this order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interpreter.scripts import script_of
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.documents import load_json_catalogue
from tdls.interpreter.errors import PlanError
from tdls.interpreter.runs.model import TextFile
from tdls.interpreter.runs.plan import RunOptions, plan
from tdls.interpreter.runs.script import Script

SCRIPT = Path("script.mlir")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.mlir", "b.mlir", "c.mlir", "folder/d.mlir", "folder/e.mlir", "folder/f.txt"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(name, encoding="utf-8")


def libraries(text: str, options: RunOptions) -> list[str]:
    (request,) = plan(script_of(text), SCRIPT, options)
    return [Path(library.name).as_posix() for library in request.libraries]


RUN_LINE = "// RUN: mlir-opt %s --transform-preload-library='transform-library-paths=%S/b.mlir'\n"


def test_order_of_libraries() -> None:
    project = RunOptions(project_libraries=(Path("c.mlir"),))
    both = RunOptions(libraries=(Path("folder"),), project_libraries=(Path("c.mlir"),))
    assert libraries("", project) == ["c.mlir"]
    assert libraries(RUN_LINE, project) == ["b.mlir"]
    assert libraries(f"{RUN_LINE}// tdls: library=a.mlir\n", project) == ["a.mlir"]
    assert libraries(f"{RUN_LINE}// tdls: library=a.mlir\n", both) == ["folder/d.mlir", "folder/e.mlir"]
    assert libraries(RUN_LINE.replace("%S", "%t"), RunOptions()) == []  # not known
    SCRIPT.write_text("", encoding="utf-8")  # no library of itself
    assert libraries("", RunOptions(project_libraries=(Path("a.mlir"), SCRIPT))) == ["a.mlir"]


def test_script_that_is_read_as_a_library_has_its_payload_in_another_file() -> None:
    line = "// RUN: mlir-opt %S/a.mlir --transform-preload-library='transform-library-paths=%s,%S/b.mlir'\n"
    (request,) = plan(script_of(line), SCRIPT, RunOptions())
    assert request.payload == TextFile("a.mlir", "a.mlir")
    assert [library.name for library in request.libraries] == ["b.mlir"]


def test_the_payload_of_the_project_is_for_scripts_without_one() -> None:
    script = "module attributes {transform.with_named_sequence} {\n}\n"
    project = RunOptions(project_payload=Path("a.mlir"))

    def payload(text: str, options: RunOptions) -> TextFile | None:
        (request,) = plan(script_of(text), SCRIPT, options)
        return request.payload

    assert payload(script, project) == TextFile("a.mlir", "a.mlir")
    assert payload(f"// tdls: payload=b.mlir\n{script}", project) == TextFile("b.mlir", "b.mlir")
    assert payload(f"{script}func.func private @f()\n", project) is None
    assert payload(script, RunOptions(project_payload=SCRIPT)) is None
    assert payload(script, RunOptions(payload=Path("c.mlir"), project_payload=Path("a.mlir"))) == TextFile(
        "c.mlir", "c.mlir"
    )


def test_options_of_run_lines() -> None:
    options = "entry-point=mine debug-payload-root-tag=here disable-expensive-checks"
    line = f"// RUN: mlir-opt %s --pass-pipeline='builtin.module(transform-interpreter{{{options}}},cse)'\n"
    (request,) = plan(script_of(line), SCRIPT, RunOptions())
    assert request.entry_point == "mine"
    assert request.options == (("debug-payload-root-tag", "here"), ("disable-expensive-checks", "true"))


@pytest.mark.parametrize(
    "options",
    [
        RunOptions(payload=Path("no.mlir")),
        RunOptions(libraries=(Path("no.mlir"),)),
        RunOptions(payload=Path("\0no.mlir")),
    ],
)
def test_files_that_are_not_there(options: RunOptions) -> None:
    with pytest.raises(PlanError, match=r"no\.mlir: "):
        plan(script_of(""), SCRIPT, options)


ANY = "!transform.any_op"


def named(*names: str, head: str = "") -> str:
    body = f"(%root: {ANY}) {{\n    transform.yield\n  }}\n"
    sequences = "".join(f"  transform.named_sequence {head}@{name}{body}" for name in names)
    return f"module attributes {{transform.with_named_sequence}} {{\n{sequences}}}\n"


SEQUENCE = f"transform.sequence failures(propagate) {{\n^bb0(%root: {ANY}):\n}}\n"


MANY = [f"s{number}" for number in range(12)]
SHOWN = ", ".join(f"@{name}" for name in MANY[:10])


def begins(text: str, **options: Any) -> list[tuple[str, int | None]]:
    return starts(script_of(text), **options)


def starts(script: Script, **options: Any) -> list[tuple[str, int | None]]:
    requests = plan(script, SCRIPT, RunOptions(**options))
    return [(request.entry_point, request.operation) for request in requests]


def test_parts_keep_their_places() -> None:
    text = f"{named('a')}é // -----\n// -----\n{named('b')}"
    first, second = plan(script_of(text), SCRIPT, RunOptions())
    start = text.index("module", 10)
    assert (first.part, second.part) == (0, 1)
    assert second.script.text[start:] == text[start:]
    assert second.script.text[:start] == "".join("\n" if letter == "\n" else " " for letter in text[:start])


def test_one_part() -> None:
    text = f"{named('a')}// -----\n{named('b')}"
    (second,) = plan(script_of(text), SCRIPT, RunOptions(part=1))
    assert (second.part, second.entry_point) == (1, "b")
    with pytest.raises(PlanError, match=r"script\.mlir: there is no part 3, the last one is part 2"):
        plan(script_of(text), SCRIPT, RunOptions(part=2))


def test_main_entry_point_goes_first() -> None:
    assert begins(named("other", "__transform_main")) == [("__transform_main", None)]
    assert begins(named("other", "__transform_main"), entry_point="other") == [("other", None)]


def test_only_entry_point_needs_no_name() -> None:
    assert begins(named("other")) == [("other", None)]
    assert begins(named("first") + named("second", head="private ")) == [("first", None)]
    assert begins(f"// a comment\n{SEQUENCE}") == [("transform.sequence", 13)]


@pytest.mark.parametrize("comment", ["// begins at @__transform_main", '// "@__transform_main" is what others call it'])
def test_a_comment_is_no_entry_point(comment: str) -> None:
    assert begins(f"{comment}\n{named('other')}") == [("other", None)]
    assert begins(f"{comment}\n{named('other', '__transform_main')}") == [("__transform_main", None)]


def test_operations_are_named_by_their_number() -> None:
    text = SEQUENCE + SEQUENCE
    assert begins(text, entry_point="transform.sequence") == [("transform.sequence", 0)]
    assert begins(text, entry_point="transform.sequence#2") == [("transform.sequence#2", len(SEQUENCE))]
    assert begins(f"// -----\n{SEQUENCE}", part=1) == [("transform.sequence", 9)]


@pytest.mark.parametrize(
    ("text", "wanted", "message"),
    [
        (named("a", "b"), None, "there is no @__transform_main; choose one of the entry points @a, @b"),
        (named("a") + SEQUENCE, None, "there is no @__transform_main; choose one of the entry points @a, transform"),
        (named("a", "b"), "c", "there is no entry point c; there are @a, @b"),
        (named("tile", "b"), "tlie", "there is no entry point tlie; did you mean @tile?"),
        (named(*MANY), None, f"there is no @__transform_main; choose one of the entry points {SHOWN} and 2 more"),
        (SEQUENCE, "transform.sequence#2", "there is no entry point transform.sequence#2; there is transform.seq"),
    ],
)
def test_entry_points_that_have_to_be_named(text: str, wanted: str | None, message: str) -> None:
    with pytest.raises(PlanError) as error:
        begins(text, entry_point=wanted)
    assert str(error.value).startswith(f"script.mlir: {message}")


@pytest.mark.parametrize("text", ["", "module {", "func.func private @f()\n"])
def test_without_entry_points_mlir_tells(text: str) -> None:
    assert begins(text) == [("__transform_main", None)]
    assert begins(text, entry_point="mine") == [("mine", None)]


def test_entry_points_of_libraries_and_payloads() -> None:
    Path("a.mlir").write_text(named("there"), encoding="utf-8")
    assert begins(named("x", "y"), entry_point="there", libraries=(Path("a.mlir"),)) == [("there", None)]
    assert begins(named("x", "y"), entry_point="there", payload=Path("a.mlir")) == [("there", None)]


def test_documents_of_an_editor_go_before_files() -> None:
    request = next(
        plan(
            script_of("// tdls: library=a.mlir payload=b.mlir\n"),
            SCRIPT,
            RunOptions(read=lambda path: f"open {path.name}", observe=True),
        )
    )
    assert request.observe
    assert request.payload == TextFile("b.mlir", "open b.mlir")
    assert request.libraries == (script_of("open a.mlir", "a.mlir"),)


def test_stopping_runs_only_the_part_where_that_is() -> None:
    text = f"{named('a')}// -----\n{named('b')}"
    for until, part in ((0, 0), (text.index("@b"), 1), (len(text), 1)):
        (request,) = plan(script_of(text), SCRIPT, RunOptions(until=until))
        assert (request.part, request.until) == (part, until)


def test_operations_of_a_catalogue_of_the_project() -> None:
    own = {"name": "transform.mine.script", "traits": ["PossibleTopLevelTransformOpTrait", "TransformOpInterface"]}
    Path("mine.json").write_text(json.dumps({"format": 1, "operations": [own]}), encoding="utf-8")
    catalogue = Catalogue.shipped().with_source(load_json_catalogue(Path("mine.json")))
    text = f"transform.mine.script {{\n^bb0(%root: {ANY}):\n}}\n"
    assert starts(Script("script.mlir", text, catalogue)) == [("transform.mine.script", 0)]
    assert begins(text) == [("__transform_main", None)]


def test_one_part_that_does_not_tell_where_to_begin_leaves_the_others() -> None:
    text = f"{named('a', 'b')}// -----\n{SEQUENCE}// -----\n{named('c')}"
    unsure = ("__transform_main", None)
    assert begins(text) == [unsure, ("transform.sequence", text.index("transform.sequence")), ("c", None)]
    assert begins(text, entry_point="c") == [("c", None)] * 3
