"""No regular expression of tdls, and no terminal of its grammars, takes more than linear time."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pytest

from patterns.answers import Answer, ask, version
from patterns.claims import Claim, made_at, recorded, recorded_lines
from patterns.keeping import all_claims, kept
from patterns.refuting import is_refuted
from patterns.sites import sites

if TYPE_CHECKING:
    from patterns.claims import Recorded
    from preparation.reporting import Compared

CACHE: Final = f"tdls/recheck-{version()}"
_ASKED_AGAIN: Final = 16
"""The test repeats one in this number of the kept answers."""


@pytest.fixture(scope="module")
def records() -> list[Recorded]:
    return recorded(recorded_lines())


def test_every_pattern_is_known(records: list[Recorded]) -> None:
    """A pattern that is made of something else than constants needs a call in `makers`."""
    unseen = [site.place for site in sites() if not made_at(site, records)]
    assert unseen == []


def test_nothing_takes_more_than_linear_time(
    records: list[Recorded], pytestconfig: pytest.Config, compared: Compared
) -> None:
    claims = all_claims(records)
    cache = pytestconfig.cache
    known: dict[str, Any] = {**(cache.get(CACHE, {}) if cache is not None else {}), **kept()}
    answers = ask(((claim.source, claim.flags) for claim in claims), known)
    if cache is not None:
        cache.set(CACHE, known)
    for name, count in Counter(answer.checker for answer in answers.values()).items():
        compared(f"patterns, decided by {name}", count)
    said = ((claim, answers[claim.source, claim.flags]) for claim in claims)
    doubtful = ((claim, answer) for claim, answer in said if answer.status != "safe")
    slow = sorted(
        {f"{_shown(claim)}: {answer.complexity}" for claim, answer in doubtful if not is_refuted(claim, answer)}
    )
    assert not slow, "\n".join(slow)


def test_the_tool_repeats_kept_answers(compared: Compared) -> None:
    again = dict(sorted(kept().items())[::_ASKED_AGAIN])
    said: dict[str, Any] = {}
    ask((tuple(json.loads(question)) for question in again), said)
    assert said == again
    compared("kept answers, repeated", len(said))


def test_the_tool_finds_superlinear_patterns() -> None:
    slow = {(r"^(?:\s|\/\/[^\n]*)*a", ""): "exponential", (r'"(?:[^"\\]|\\.)*"', ""): "2nd degree polynomial"}
    assert {question: answer.complexity for question, answer in ask(slow, {}).items()} == slow


@pytest.mark.parametrize(
    ("pattern", "complexity", "pump"),
    [(r"\s+$", "2nd degree polynomial", " "), (r"^(a|b|ab)*$", "exponential", "ab"), (r"^(a+)+$", "exponential", "a")],
)
def test_superlinear_patterns_are_not_refuted(pattern: str, complexity: str, pump: str) -> None:
    claim = Claim("", "", "", "", re.compile(pattern))
    assert not is_refuted(claim, Answer("vulnerable", "fuzz", f"{complexity} (fuzz)", (("", pump),), "c"))


def test_linear_patterns_are_refuted() -> None:
    claim = Claim("", "", "", "", re.compile(r"^class \w+\([^)]{0,400}\bname=", re.MULTILINE))
    assert is_refuted(claim, Answer("vulnerable", "fuzz", "exponential (fuzz)", (("", "class y(\n"),), "c"))


def _shown(claim: Claim) -> str:
    return f"{claim.place}: {claim.pattern}"
