from __future__ import annotations

import pkgutil
import re
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from rules_page import rules_page
from tdls.analysis import rules
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rule import LOOKS_AT
from tdls.analysis.rules import all_rules, find_rule
from tdls.analysis.rules.checking.reported_elsewhere import RULES
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.backend import Backend
from tdls.interpreter.mlir.tool import Tool
from tdls.interpreter.runs.model import RunLevel, RunRequest, Status, TextFile
from tdls.interpreter.runs.script import Script
from tdls.settings.rule_codes import KNOWN_RULES
from tdls.syntax.sections.boundaries import SplitMode
from tdls.text.level import Level
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from tdls.analysis.rule import Rule
    from tdls.interpreter.runs.model import RunResult

CATALOGUE = Catalogue.shipped()
TEXTS = Path(rules.__file__).parent / "texts"
PAYLOAD = """\
module {
  func.func @f(%a: memref<16x16xf32>, %b: memref<16x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      linalg.matmul ins(%a, %a : memref<16x16xf32>, memref<16x16xf32>) outs(%b : memref<16x16xf32>)
      linalg.matmul ins(%b, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%a : memref<16x16xf32>)
    }
    return
  }
}
"""
"""The payload for examples of rules about runs: operations in loops, two of each in a function."""
FAILURES = (
    "expected operations in the match part to implement MatchOpInterface",
    "could not find a",
    "extra value bindings",
    "invalidated",
    "on an unsupported operation",
    "only resolved through providing",
    "more than once",
    "payloads but it contains",
    "too many tiles provided",
    "transform applied to the wrong op kind",
    "unknown pass or pass pipeline",
    "unresolved external named sequence",
)
"""Parts of MLIR's errors when the bad examples run."""
WARNING = "tiling is not thread safe"
"""Part of MLIR's warning for a bad example that succeeds."""
each_rule = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)


def found(text: str, rule: Rule) -> list[str]:
    result = findings_in_file(SourceFile.of(text, CATALOGUE.at(rule.target_llvm), split=SplitMode.NEVER))
    return [each.rule for each in result if each.rule == rule.name or not rule.rests_on_other_files]


def run(script: str, *, with_payload: bool = True) -> RunResult:
    backend = Backend(Tool([str(require_mlir_opt(22))]))
    payload = TextFile("payload.mlir", PAYLOAD) if with_payload else None
    return backend.run(RunRequest(Script("script.mlir", script, Catalogue.shipped()), payload))


def interpreted(script: str) -> bool:
    """Run `script` with its expensive checks; False if it fails by one of the known `FAILURES`, or MLIR warns."""
    result = run(script, with_payload="func.func @" not in script)
    failures = [diagnostic.message for diagnostic in result.diagnostics if diagnostic.level is RunLevel.ERROR]
    if result.status is Status.SUCCESS:
        warnings = [diagnostic.message for diagnostic in result.diagnostics if diagnostic.level is RunLevel.WARNING]
        return not any(warning.startswith(WARNING) for warning in warnings)
    assert len(failures) == 1 or failures[1:] == ["pass pipeline failed"]
    assert any(words in failures[0] for words in FAILURES), failures
    return False


def test_every_file_of_the_package_is_a_registered_rule() -> None:
    modules = [module for module in pkgutil.walk_packages(rules.__path__, f"{rules.__name__}.") if not module.ispkg]
    files = {module.name.rpartition(".")[2].replace("_", "-") for module in modules}
    assert {*files, *RULES} - {"reported-elsewhere"} == {rule.name.removeprefix("possibly-") for rule in all_rules()}
    assert {file.name for file in TEXTS.iterdir()} == {f"{rule.name}.md" for rule in all_rules()}


@each_rule
def test_a_text_has_a_summary_a_fix_and_two_examples(rule: Rule) -> None:
    tokens = MarkdownIt().parse((TEXTS / f"{rule.name}.md").read_text(encoding="utf-8"))
    headings = [after.content for token, after in pairwise(tokens) if token.type == "heading_open"]
    assert headings == [rule.name, "Bad", "Good"]
    assert [token.info for token in tokens if token.type == "fence"][-2:] == ["mlir", "mlir"]
    fenced = [token.content for token in tokens if token.type == "fence"][-2:]
    assert fenced == [rule.text.example_bad, rule.text.example_good]
    summary = next(token.content for token in tokens if token.type == "inline" and token.content != rule.name)
    assert summary == f"{rule.text.summary}."
    assert "\n" not in summary
    assert "**Fix:**" in rule.text.documentation
    assert rule.text.example_bad in rule.markdown()


def test_names_and_codes_are_unique_and_sorted_by_code() -> None:
    codes = [rule.code for rule in all_rules()]
    assert [rule.name for rule in KNOWN_RULES] == [rule.name for rule in all_rules()]
    assert codes == sorted(set(codes))
    assert all(re.fullmatch(r"TD\d{3}", code) for code in codes)
    assert all(find_rule(rule.name) is rule and find_rule(rule.code.lower()) is rule for rule in all_rules())


def test_the_documentation_has_the_rules_as_they_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    assert page == rules_page(all_rules()), "write it again: python tools/rules_page.py > docs/rules.md"


@each_rule
def test_a_rule_is_found_by_its_name_and_looks_at_something(rule: Rule) -> None:
    assert rules.rule_of(rule.name) is rule
    assert (LOOKS_AT[rule.name][1] is None) is ((rule.find or rule.check) is None)


@each_rule
def test_signs_hide_no_findings(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    target = CATALOGUE.at(rule.target_llvm)
    text = f"{rule.text.example_bad}\n// -----\n{rule.text.example_good}"
    quickly = findings_in_file(SourceFile.of(text, target, split=SplitMode.ALWAYS))
    monkeypatch.setattr(rules, "_SIGNS", {})
    assert quickly == findings_in_file(SourceFile.of(text, target, split=SplitMode.ALWAYS))


@each_rule
def test_bad_example_shows_this_rule_and_no_other(rule: Rule) -> None:
    assert found(rule.text.example_bad, rule) == expected_in_bad_example(rule)


def expected_in_bad_example(rule: Rule) -> list[str]:
    return [] if rule.found_by_runs or rule.rests_on_other_files else [rule.name]


@each_rule
def test_good_example_is_clean(rule: Rule) -> None:
    assert found(rule.text.example_good, rule) == []


def kind_of(rule: Rule) -> tuple[bool, bool, bool]:
    return rule.is_silent, bool(rule.found_by_runs), rule.shows_when_run


SAMPLES = {kind_of(rule): rule for rule in reversed(all_rules())}
"""The first rule of each kind, by the way in which MLIR judges its examples."""


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(rule, marks=[] if rule in SAMPLES.values() else pytest.mark.sample, id=rule.name)
        for rule in all_rules()
    ],
)
@pytest.mark.parametrize("example", ["example_bad", "example_good"])
def test_mlir_says_the_same_of_the_examples(rule: Rule, example: str) -> None:
    if rule.rests_on_other_files:
        pytest.skip("tests/project asks MLIR with the libraries")
    if rule.is_silent:
        result = run(getattr(rule.text, example))
        assert (result.status, result.diagnostics) == (Status.SUCCESS, ())
        return
    if rule.found_by_runs:
        result = run(getattr(rule.text, example), with_payload=False)
        assert result.status is (Status.SUCCESS if example == "example_good" else Status.FAILURE)
        return
    if rule.shows_when_run:
        assert interpreted(getattr(rule.text, example)) is (example == "example_good")
        return
    command = [str(require_mlir_opt(22)), "--transform-dialect-check-uses", "-o", "-"]
    done = subprocess.run(
        command, input=getattr(rule.text, example), capture_output=True, text=True, encoding="utf-8", check=False
    )
    levels = re.findall(r"^<stdin>:\d+:\d+: (error|warning):", done.stderr, re.MULTILINE)
    if example == "example_good":
        assert levels == []
    else:
        assert levels[0] == rule.level.value or rule.level is Level.HINT
