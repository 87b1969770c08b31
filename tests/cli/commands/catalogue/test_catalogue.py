from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from tdls.catalogue.catalogue import Catalogue
from tdls.cli.commands import catalogue as command_module
from tdls.cli.console.console import InputError
from tdls.settings.llvm_versions import version_name

if TYPE_CHECKING:
    from pathlib import Path

SHIPPED = Catalogue.shipped()


def run(*arguments: str) -> str:
    result = CliRunner().invoke(command_module.command, list(arguments), standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.stdout


def test_sources_say_which_assembly_format_is_not_understood(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    operation = 'def X : Op<Transform_Dialect, "my.x"> {{ let assemblyFormat = "{}"; }}\n'
    forms = ("attr-dict", "type(" * 150)
    text = "".join(operation.replace("X", f"X{index}").format(form) for index, form in enumerate(forms))
    (tmp_path / "a.td").write_text(f'include "mlir/Dialect/Transform/IR/TransformDialect.td"\n{text}', encoding="utf-8")
    *_, heading, problem = run("sources", str(tmp_path)).splitlines()
    assert heading == "Not understood"
    assert problem.startswith("  a.td:3: transform.my.x: assembly format with more than format-depth")


def test_page_of_an_operation() -> None:
    assert '\n    transform.annotate %target "tuned" : !transform.any_op\n' in run("show", "annotate")
    page = run("show", "transform.structured.tile_using_for")
    assert page.startswith("transform.structured.tile_using_for\n")
    assert re.search(r"^    target +one +consumes +TransformHandleTypeInterface$", page, re.MULTILINE)
    assert re.search(r"^    loops +variadic +produces +TransformHandleTypeInterface$", page, re.MULTILINE)
    assert re.search(r"^    static_sizes +optional +DenseI64ArrayAttr +default \{\}$", page, re.MULTILINE)
    assert "$target `tile_sizes`" in page
    assert "https://mlir.llvm.org/docs/Dialects/Transform/#:~:text=transform.structured.tile_using_for" in page


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("transform.foreach", r"targets +variadic +as its region +"),
        ("transform.include", r"operands +variadic +as the named sequence +"),
        ("transform.apply_conversion_patterns", r"target +one +consumes, reads with preserve_handles +"),
    ],
)
def test_effects_that_something_else_decides(name: str, row: str) -> None:
    assert re.search(f"^    {row}", run("show", name), re.MULTILINE)


def test_definition_of_one_version() -> None:
    newest, *older = SHIPPED.variants("scf.for")
    version = older[-1].versions[-1]
    assert f"see --llvm {version}" in run("show", "scf.for")
    assert f"see --llvm {version_name(newest.versions[-1])}" in run("show", "scf.for", "--llvm", version_name(version))


def test_every_operation_has_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tdls.toml").write_text("project.enabled = false\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name in SHIPPED.operation_names("transform"):
        for variant in SHIPPED.variants(name):
            lines = run("show", name, "--llvm", version_name(variant.versions[0])).splitlines()
            assert lines[0] == name
            assert lines == [line.rstrip() for line in lines]


def test_list_of_operations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tdls.toml").write_text("project.enabled = false\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run("list").splitlines() == list(SHIPPED.operation_names())
    assert run("list", "--dialect", "pdl").splitlines() == list(SHIPPED.operation_names("pdl"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["show", "tile_usng_for"],
            "no operation is called 'tile_usng_for'; did you mean 'transform.structured.tile_using_for'?",
        ),
        (["show", "scf.fro"], "no operation is called 'scf.fro'; did you mean 'scf.for'?"),
        (
            ["show", "transform.structured.tile"],
            "'transform.structured.tile' exists up to LLVM 17; it is now called `transform.structured.tile_using_for`",
        ),
        (["show", "zz"], "no operation is called 'zz'; 'tdls catalogue list' lists all operations"),
        (["show", "scf.for", "--llvm", "7"], "'scf.for' is not known for LLVM 7, only for LLVM "),
        (["list", "--dialect", "nope"], "no operation of the dialect 'nope' is known"),
    ],
)
def test_questions_without_answer(arguments: list[str], message: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(message)}"):
        run(*arguments)


def test_documents_for_programs() -> None:
    shown = json.loads(run("show", "transform.apply_cse", "--format", "json"))
    assert shown["operation"]["operands"] == [
        {"name": "target", "constraint": "TransformHandleTypeInterface", "effect": "reads", "excludes_script": True}
    ]
    assert shown["documentation"].startswith("https://")
    assert "transform.apply_cse" in json.loads(run("list", "--dialect", "transform", "--format", "json"))["operations"]


def test_search_finds_words_in_names_first() -> None:
    found = json.loads(run("search", "tile", "reduction", "--format", "json"))["operations"]
    assert "transform.structured.tile_reduction_using_for" in [known["name"] for known in found]
    lines = run("search", "vectorize").splitlines()
    assert "vectorize" in lines[0].partition("  ")[0]
    assert any("vectorize" not in line.partition("  ")[0] for line in lines)
    assert run("search", "no-such-word") == ""
