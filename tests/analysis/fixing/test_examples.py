"""Every fix that tdls has, on the examples of rules, on the fixtures of the analysis, and on damaged scripts."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from samples import every, some
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.fixing import Fixed, fix_in_rounds
from tdls.analysis.rule import FixKind, Rule
from tdls.analysis.rules import all_rules
from tdls.catalogue.catalogue import Catalogue
from tdls.text.level import Level
from tools_at_hand import require_mlir_opt

CATALOGUE = Catalogue.shipped()
DOWNSTREAM = re.compile(r"^\s*(%[\w:, %]+ = )?(transform\.)?(my\.|shop_|llvm\.mlir\.null)", re.MULTILINE)
"""Operations that MLIR 22 does not have begin so."""
FIXTURES = sorted((Path(__file__).parents[1] / "fixtures").glob("*.mlir"))
MARKER = "// -----\n"
each_rule = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)


def fixed(text: str, *, unsafe: bool = True, target: int | None = None) -> Fixed:
    """The result of all fixes, which does not change any more and has no errors that were not there before."""
    catalogue = CATALOGUE.at(target)
    done = fix_in_rounds(SourceFile.of(text, catalogue), findings_in_file, unsafe=unsafe)
    assert done.is_settled
    assert errors(done.file.text) <= errors(text)
    assert fix_in_rounds(SourceFile.of(done.file.text, catalogue), findings_in_file, unsafe=unsafe).applied == ()
    return done


def errors(text: str) -> Counter[str]:
    found = findings_in_file(SourceFile.of(text, CATALOGUE))
    return Counter(finding.rule for finding in found if finding.level is Level.ERROR)


@each_rule
def test_fixing_the_bad_example_gives_the_good_one(rule: Rule) -> None:
    target = rule.target_llvm
    result = fixed(rule.text.example_bad, target=target).file.text
    assert result == (rule.text.example_bad if rule.fix is None else rule.text.example_good)
    safely = fixed(rule.text.example_bad, unsafe=False, target=target).file.text
    assert safely == (rule.text.example_good if rule.fix is FixKind.SAFE else rule.text.example_bad)


@each_rule
def test_good_examples_stay_as_they_are(rule: Rule) -> None:
    assert fixed(rule.text.example_good, target=rule.target_llvm).file.text == rule.text.example_good


def test_mlir_accepts_fixed_fixtures() -> None:
    parts = [part for path in FIXTURES for part in path.read_text(encoding="utf-8").split(MARKER)]
    results = [fixed(part) for part in parts[:: every(1)] if DOWNSTREAM.search(part) is None]
    clean = [result.file.text for result in results if result.applied and not errors(result.file.text)]
    assert len(clean) >= some(50)
    assert_mlir_accepts(MARKER.join(clean).replace("expected-", ""))


@pytest.mark.parametrize("seed", range(25))
def test_fixing_damaged_scripts_comes_to_an_end_and_breaks_nothing(seed: int) -> None:
    random = Random(seed)
    text = random.choice(all_rules()).text.example_good
    words = text.split(" ")
    for _ in range(random.randint(1, 4)):
        # A type that no catalogue has is no mistake for tdls: an extension may define it.
        place = random.choice([number for number, word in enumerate(words) if "!" not in word])
        words[place] = random.choice(["", words[place][:-1], words[place] * 2, random.choice(words)])
    damaged = " ".join(words)
    done = fixed(damaged)
    if done.applied and not errors(done.file.text):
        assert_mlir_accepts(done.file.text)


def assert_mlir_accepts(text: str) -> None:
    command = [str(require_mlir_opt(22)), "--split-input-file", "-o", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
