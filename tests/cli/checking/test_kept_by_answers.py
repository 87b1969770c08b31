"""Cached findings depend on answers of the catalogue: after any change they equal those of a check without cache."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tdls.cli.checking.file import Checker, CheckSettings
from tdls.cli.checking.targets import CheckTarget
from tdls.settings.sources import Overrides

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.cli.rendering.checked import CheckedFile

HEAD = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
"""
TAIL = """\
    transform.yield
  }
}
"""
STATEMENTS = (
    "transform.npu.place %root : !transform.any_op",
    "transform.npu.move %root : !transform.any_op",
    "transform.npu.pace %root : !transform.any_op",
    "transform.npu.old %root : !transform.any_op",
    "transform.acme.place %root : !transform.any_op",
    'transform.annotate %root "seen" : !transform.any_op',
    "transform.include @helper failures(propagate) (%root) : (!transform.any_op) -> ()",
    "%0 = transform.structured.match ops{['npu.conv', 'linalg.matmul']} in %root : (!transform.any_op) -> !npu.handle",
    "transform.npu.pick @helper in %root : !transform.any_op",
)
LIBRARY = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @helper(%op: !transform.any_op {transform.MARK}) {
    transform.npu.move %op : !transform.any_op
    transform.yield
  }
}
"""
NAMES = (
    "transform.npu.place",
    "transform.npu.move",
    "transform.npu.pick",
    "transform.acme.place",
    "transform.annotate",
)
OTHERS = ("npu.conv", "other.thing", "transform.npu.else")
EFFECTS = ("consumes", "reads", "none", "unknown")
FORMATS = ("$target attr-dict `:` type($target)", "$target `at` $target attr-dict", None)
TRAITS = ("FunctionalStyleTransformOpTrait", "TransformOpInterface", "MatchOpInterface")


class Project:
    """A project whose catalogues, library and settings change by chance."""

    def __init__(self, folder: Path, chance: Random) -> None:
        self.folder = folder
        self._chance = chance
        self._files: dict[str, dict[str, Any]] = {name: {"format": 1, "operations": []} for name in ("a", "b")}
        self._mark = "readonly"
        self._target = ""
        self.targets = [self._script(number) for number in range(5)]
        self.change()

    def _script(self, number: int) -> CheckTarget:
        statements = self._chance.sample(STATEMENTS, self._chance.randint(1, 5))
        path = self.folder / f"script{number}.mlir"
        text = "".join((HEAD, *(f"    {line}\n" for line in statements), TAIL)).replace("'", '"')
        path.write_text(text, encoding="utf-8")
        return CheckTarget(str(path), path)

    def change(self) -> None:
        """Change one thing, or nothing that counts."""
        file = self._files[self._chance.choice(("a", "b"))]
        match self._chance.randrange(8):
            case 0 | 1 | 2:
                self._put(file, self._operation(self._chance.choice(NAMES)))
            case 3:
                self._put(file, self._operation(self._chance.choice(OTHERS)))
            case 4:
                file["operations"] = self._chance.sample(file["operations"], len(file["operations"]) // 2)
            case 5:
                file["renames"] = [
                    {"former": "transform.npu.old", "name": self._chance.choice(NAMES), "last_version": 1}
                ]
                is_handle = self._chance.random() < 0.5
                file["types"] = [{"name": "npu.handle", "interfaces": ["TransformHandleTypeInterface"] * is_handle}]
            case 6:
                self._mark = self._chance.choice(("readonly", "consumed"))
            case 7:
                self._target = self._chance.choice(("", "target-llvm = 19\n", "target-llvm = 22\n"))
        self._write()

    def _put(self, file: dict[str, Any], operation: dict[str, Any]) -> None:
        others = [known for known in file["operations"] if known["name"] != operation["name"]]
        file["operations"] = [*others, operation]

    def _operation(self, name: str) -> dict[str, Any]:
        operand = {
            "name": "target",
            "constraint": "TransformHandleTypeInterface",
            "effect": self._chance.choice(EFFECTS),
        }
        format_ = self._chance.choice(FORMATS)
        return {
            "name": name,
            "operands": [operand],
            "attributes": [{"name": "matchers", "constraint": "SymbolRefArrayAttr"}]
            if self._chance.random() < 0.2
            else [],
            "traits": self._chance.sample(TRAITS, self._chance.randint(0, 3)),
            "summary": f"Says {self._chance.randrange(10)}",
            **({"assembly_format": format_} if format_ is not None else {}),
        }

    def _write(self) -> None:
        for name, content in self._files.items():
            (self.folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
        (self.folder / "lib.mlir").write_text(LIBRARY.replace("MARK", self._mark), encoding="utf-8")
        settings = "catalogues = ['a.json', 'b.json']\nlibraries = ['lib.mlir']\nproject.enabled = false\n"
        (self.folder / "tdls.toml").write_text(f"{self._target}{settings}", encoding="utf-8")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def checker(*, uses_cache: bool) -> Checker:
    overrides = Overrides(inline=("project.bindings = false",))
    return Checker(CheckSettings(overrides=overrides, possible=True, uses_cache=uses_cache))


@pytest.mark.parametrize("seed", range(6))
def test_after_any_change_kept_findings_equal_fresh_ones(seed: int, folder: Path) -> None:
    project = Project(folder, Random(seed))
    reused = made = 0
    for _ in range(12):
        project.change()
        known = list(map(checker(uses_cache=True).known, project.targets))
        fresh = list(map(checker(uses_cache=False).check, project.targets))
        assert not any(found.crash or found.complaints for found in fresh)
        assert all(kept in (None, found) for kept, found in zip(known, fresh, strict=True))
        assert list(map(checker(uses_cache=True).check, project.targets)) == fresh
        reused += sum(kept is not None for kept in known)
        made += sum(kept is None for kept in known)
    assert min(reused, made) > 0


def found_lines(checked: CheckedFile | None) -> list[str] | None:
    return [finding.diagnostic.rule for finding in checked.findings] if checked is not None else None


def test_definitions_that_a_script_does_not_query_keep_its_results(folder: Path) -> None:
    """Another operation, its documentation, and its place."""
    place = {
        "name": "transform.npu.place",
        "operands": [{"name": "target", "effect": "consumes"}],
        "traits": list(TRAITS),
    }
    other = {"name": "transform.npu.other", "operands": [{"name": "target", "effect": "reads"}]}
    (folder / "script.mlir").write_text(f"{HEAD}    {STATEMENTS[0]}\n    {STATEMENTS[5]}\n{TAIL}", encoding="utf-8")
    (folder / "tdls.toml").write_text("catalogues = ['npu.json']\nproject.enabled = false\n", encoding="utf-8")
    target = CheckTarget("script.mlir", folder / "script.mlir")

    def write(*operations: dict[str, Any]) -> None:
        document = {"format": 1, "operations": list(operations)}
        (folder / "npu.json").write_text(json.dumps(document), encoding="utf-8")

    def known() -> list[str] | None:
        return found_lines(checker(uses_cache=True).known(target))

    write(place)
    expected = found_lines(checker(uses_cache=True).check(target))
    write(place, other)
    assert known() == expected
    write({**other, "operands": []}, {**place, "summary": "New words", "traits": list(TRAITS)[::-1]})
    assert known() == expected
    write({**place, "traits": []}, other)
    assert known() is None


def test_a_new_pass_of_a_project_removes_findings_about_its_name(folder: Path) -> None:
    statement = (
        '%0 = transform.apply_registered_pass "canonicalise" to %root : (!transform.any_op) -> !transform.any_op'
    )
    script = folder / "script.mlir"
    script.write_text(f"{HEAD}    {statement}\n{TAIL}", encoding="utf-8")
    (folder / "tdls.toml").write_text("", encoding="utf-8")
    target = CheckTarget(str(script), script)
    passes = 'include "mlir/Pass/PassBase.td"\ndef Own : Pass<"NAME">;\n'
    for name, expected, is_kept in (
        ("other", ["unknown-pass"], False),
        ("other", ["unknown-pass"], True),
        ("canonicalise", [], False),
        ("canonicalise", [], True),
    ):
        (folder / "Passes.td").write_text(passes.replace("NAME", name), encoding="utf-8")
        known = checker(uses_cache=True).known(target)
        assert found_lines(known) == (expected if is_kept else None)
        assert found_lines(checker(uses_cache=True).check(target)) == expected
