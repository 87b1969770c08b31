"""A rule that raises leaves the findings of the others, and is reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from failing_rules import MESSAGE, failing
from tdls.analysis import rules
from tdls.analysis.checking.file_findings import RuleFailedError, check_file, failures_in_words, findings_in_file
from tdls.analysis.checking.findings import Findings
from tdls.analysis.file import context as contexts
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.handles import findings as handles
from tdls.analysis.rules import find_rule
from tdls.catalogue.catalogue import Catalogue
from tdls.limits import RULE_STEPS, OverBudget
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Callable

USE_AFTER_FREE = find_rule("use-after-free")
assert USE_AFTER_FREE is not None
BAD = USE_AFTER_FREE.text.example_bad
CATALOGUE = Catalogue.shipped()
BROKEN = BAD + "}\n"
"""Has a syntax error besides."""


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make the rules with some names raise an error of a kind."""

    def plant(*names: str, error: type[Exception] = ValueError) -> None:
        monkeypatch.setattr(rules, "LOADED", {**rules.LOADED, **failing(names, error)})

    return plant


def file_of(text: str) -> SourceFile:
    return SourceFile.of(text, CATALOGUE)


def reported_rules(file: SourceFile) -> set[str]:
    return {finding.rule for finding in check_file(file).reported}


@pytest.mark.parametrize("error", [ValueError, RecursionError, MemoryError])
def test_a_failing_rule_leaves_the_findings_of_others(plant: Callable[..., None], error: type[Exception]) -> None:
    assert reported_rules(file_of(BROKEN)) >= {"use-after-free", "syntax-error"}
    plant("use-after-free", error=error)
    found = check_file(file_of(BROKEN))
    assert "syntax-error" in {finding.rule for finding in found.reported}
    assert "use-after-free" not in {finding.rule for finding in found.reported}
    assert [failure.rule for failure in found.failures] == ["use-after-free"]
    assert found.failures[0].reason == f"{error.__name__}: {MESSAGE}"
    assert "Traceback" in found.failures[0].trace


def test_callers_that_need_all_findings_get_none(plant: Callable[..., None]) -> None:
    plant("use-after-free")
    with pytest.raises(RuleFailedError, match=MESSAGE):
        findings_in_file(file_of(BAD))


def test_a_limit_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def over(_: str) -> OverBudget:
        return OverBudget(RULE_STEPS)

    monkeypatch.setattr(rules, "LOADED", {**rules.LOADED, **failing(["use-after-free"], over)})  # type: ignore[arg-type]
    found = check_file(file_of(BAD))
    assert found.failures == []
    assert "use-after-free" not in {finding.rule for finding in found.reported}


def test_a_fact_that_raises_takes_only_its_dependents(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise ValueError(MESSAGE)

    monkeypatch.setattr(handles, "_look", broken)
    found = check_file(file_of(BROKEN))
    assert "syntax-error" in {finding.rule for finding in found.reported}
    (words,) = failures_in_words(found.failures)
    assert words.startswith("rules `")
    assert words.endswith(f" more failed: ValueError: {MESSAGE}")


def test_without_operations_only_the_rules_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise ValueError(MESSAGE)

    monkeypatch.setattr(contexts, "resolve", broken)
    assert {failure.reason for failure in check_file(file_of(BROKEN)).failures} == {f"ValueError: {MESSAGE}"}


def test_a_comment_for_a_failing_rule_is_not_called_unused(plant: Callable[..., None]) -> None:
    line = next(line for line in BAD.splitlines() if "vectorize" in line)
    silenced = BAD.replace(line, f"{line} // tdls: ignore[use-after-free]")
    assert reported_rules(file_of(silenced)) == set()
    plant("use-after-free")
    assert reported_rules(file_of(silenced)) == set()


def test_a_rule_that_fails_in_one_version_is_looked_for_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "LOADED", {**rules.LOADED, **failing(["use-after-free"], ValueError)})
    file = file_of(BAD)
    findings = Findings(file)
    findings.work(lambda: False)
    assert [failure.rule for failure in findings.failures()] == ["use-after-free"]
    monkeypatch.undo()
    findings.advance(file.edited(FileSpan(0, len(BAD)), f"// changed\n{BAD}"))
    findings.work(lambda: False)
    assert findings.failures() == []
    assert "use-after-free" in {finding.rule for finding in findings.diagnostics()}
