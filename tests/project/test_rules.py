from __future__ import annotations

import pkgutil
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from tdls.analysis import rules
from tdls.analysis.rules import RULES, find_rule
from tdls.analysis.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.runs import SplitMode
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from tdls.analysis.rule import Rule

CATALOGUE = Catalogue.shipped()
each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


def found(text: str) -> list[str]:
    result = SourceFile.of(text, CATALOGUE, split=SplitMode.NEVER).findings()
    return [diagnostic.rule for diagnostic in result]


def test_every_file_of_the_package_is_a_registered_rule() -> None:
    files = {module.name.replace("_", "-") for module in pkgutil.iter_modules(rules.__path__)}
    assert files == {rule.name for rule in RULES}


def test_names_and_codes_are_unique_and_sorted_by_code() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert all(re.fullmatch(r"TD\d{3}", code) for code in codes)
    assert all(find_rule(rule.name) is rule and find_rule(rule.code.lower()) is rule for rule in RULES)


@each_rule
def test_documentation_says_what_to_do(rule: Rule) -> None:
    assert not rule.summary.endswith(".")
    assert "**Fix:**" in rule.documentation
    assert rule.example_bad in rule.markdown()


@each_rule
def test_bad_example_shows_this_rule_and_no_other(rule: Rule) -> None:
    assert found(rule.example_bad) == [rule.name]


@each_rule
def test_good_example_is_clean(rule: Rule) -> None:
    assert found(rule.example_good) == []


@each_rule
@pytest.mark.parametrize("example", ["example_bad", "example_good"])
def test_mlir_says_the_same_of_the_examples(rule: Rule, example: str) -> None:
    command = [str(require_mlir_opt(22)), "--transform-dialect-check-uses", "-o", "-"]
    done = subprocess.run(
        command, input=getattr(rule, example), capture_output=True, text=True, encoding="utf-8", check=False
    )
    levels = re.findall(r"^<stdin>:\d+:\d+: (error|warning):", done.stderr, re.MULTILINE)
    assert levels[:1] == ([rule.level.value] if example == "example_bad" else [])
